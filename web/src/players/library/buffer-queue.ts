import type { AudioBlock } from './decoding/audio-blocks.ts'

interface QueuedBlock {
  block: AudioBlock
  buffer: AudioBuffer
  plan: BlockPlan
  node: AudioBufferSourceNode
}

/** Blocks are scheduled at most this far ahead, which bounds memory and the rescheduling after a change of rate. */
const aheadS = 4
/** This much is decoded at once, the rest as blocks finish: a burst of decoding causes underruns. */
const aheadAtOnceS = 1
const creditPerBlock = 2
/** Ramp at each start and stop, which avoids clicks. */
const fadeS = 0.004

/**
 * Schedules one uninterrupted run of a track's blocks on an audio context, each at the frame given by a frame map. Late
 * blocks are cut or skipped, never delayed, so the run keeps its timing.
 */
export class BufferQueue {
  readonly #context: AudioContext
  readonly #gain: GainNode
  readonly #onEnd: () => void
  readonly #queue: QueuedBlock[] = []
  #map: FrameMap
  #isPlaying = false
  #isComplete = false
  #isStopped = false
  #credit = 0
  #wake: () => void = () => undefined
  #endPosition = 0

  constructor(
    context: AudioContext,
    output: AudioNode,
    start: { atFrame: number; positionFrame: number },
    onEnd: () => void,
  ) {
    this.#context = context
    this.#map = startFrameMap(start.atFrame, start.positionFrame)
    this.#onEnd = onEnd
    this.#gain = context.createGain()
    this.#gain.connect(output)
  }

  /** Schedules the blocks as they arrive, a few seconds ahead. Resolves after the last one, or when stopped. */
  async feed(blocks: AsyncIterable<AudioBlock>): Promise<void> {
    for await (const block of blocks) {
      if (this.#isStopped) return
      this.#enqueue(block)
      await this.#untilNeeded()
    }
    this.#isComplete = true
    this.#endIfDone()
  }

  /** Returns the track's frame at a frame of the context. */
  positionAt(contextFrame: number): number {
    return positionAtFrame(this.#map, contextFrame)
  }

  /** The track's frame after the last block. */
  get endPosition(): number {
    return this.#endPosition
  }

  /** Whether the audio due at a frame of the context was available in time; otherwise the queue underruns. */
  covers(contextFrame: number): boolean {
    const last = this.#queue.at(-1)
    if (contextFrame < this.#map[0].atFrame) return true
    return last !== undefined && contextFrame < last.plan.untilFrame + fadeS * this.#context.sampleRate
  }

  setRate(rate: number): void {
    this.#reschedule(changeRate(this.#map, earliestFrame(this.#context), rate))
  }

  /** Jumps by some frames of the track as soon as possible. */
  jump(frames: number): void {
    const next = jumpBy(this.#map, earliestFrame(this.#context), frames)
    this.#fadeAround(this.#toSeconds(lastFrame(next)))
    this.#reschedule(next)
  }

  /** Fades out at a frame of the context, or as soon as possible. */
  stop(atFrame: number): void {
    if (this.#isStopped) return
    this.#isStopped = true
    const at = this.#toSeconds(Math.max(atFrame, earliestFrame(this.#context)))
    const { gain } = this.#gain
    gain.cancelScheduledValues(at)
    gain.setValueAtTime(1, at)
    gain.linearRampToValueAtTime(0, at + fadeS)
    for (const { node, plan } of this.#queue) {
      if (this.#toSeconds(plan.untilFrame) > at + fadeS) node.stop(at + fadeS)
    }
    this.#wake()
  }

  /** Reschedules the blocks after the last change of the map. */
  #reschedule(map: FrameMap): void {
    const from = lastFrame(map)
    this.#map = map
    for (const [index, queued] of this.#queue.entries()) {
      if (queued.plan.untilFrame <= from) continue
      const plan = planBlock(map, queued.block, from)
      queued.node.stop(this.#toSeconds(from))
      if (!plan) continue
      queued.node.onended = null
      this.#queue[index] = this.#start(queued.block, queued.buffer, plan)
    }
  }

  #fadeAround(at: number): void {
    const { gain } = this.#gain
    gain.setValueAtTime(1, at - fadeS / 2)
    gain.linearRampToValueAtTime(0, at)
    gain.linearRampToValueAtTime(1, at + fadeS / 2)
  }

  #enqueue(block: AudioBlock): void {
    this.#endPosition = block.startFrame + block.frames
    const plan = planBlock(this.#map, block, earliestFrame(this.#context))
    if (!plan) return
    if (!this.#isPlaying || plan.offsetFrames > 0) this.#fadeIn(plan, block)
    this.#isPlaying = true
    this.#queue.push(this.#start(block, toAudioBuffer(block, this.#context.sampleRate), plan))
  }

  /** No fade at the very beginning of a track. */
  #fadeIn(plan: BlockPlan, block: AudioBlock): void {
    if (block.startFrame + plan.offsetFrames === 0) return
    const at = this.#toSeconds(plan.atFrame)
    this.#gain.gain.setValueAtTime(0, at)
    this.#gain.gain.linearRampToValueAtTime(1, at + fadeS)
  }

  #start(block: AudioBlock, buffer: AudioBuffer, plan: BlockPlan): QueuedBlock {
    const node = new AudioBufferSourceNode(this.#context, {
      buffer,
      playbackRate: this.#map.at(-1)?.rate ?? 1,
    })
    node.connect(this.#gain)
    node.start(this.#toSeconds(plan.atFrame), this.#toSeconds(plan.offsetFrames))
    node.stop(this.#toSeconds(plan.untilFrame))
    node.onended = () => this.#finish(node)
    return { block, buffer, plan, node }
  }

  #finish(node: AudioBufferSourceNode): void {
    const index = this.#queue.findIndex((queued) => queued.node === node)
    if (index >= 0) this.#queue.splice(index, 1)
    if (this.#isStopped && this.#queue.length === 0) this.#gain.disconnect()
    this.#credit = creditPerBlock
    this.#wake()
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#isComplete && !this.#isStopped && this.#queue.length === 0) this.#onEnd()
  }

  async #untilNeeded(): Promise<void> {
    while (!this.#isStopped && !this.#needsMore()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#credit--
  }

  #needsMore(): boolean {
    const ahead = this.#aheadS()
    return ahead < aheadAtOnceS || (ahead < aheadS && this.#credit > 0)
  }

  #aheadS(): number {
    const last = this.#queue.at(-1)
    return last ? this.#toSeconds(last.plan.untilFrame) - this.#context.currentTime : 0
  }

  #toSeconds(frames: number): number {
    return frames / this.#context.sampleRate
  }
}

const lastFrame = (map: FrameMap): number => map.at(-1)?.atFrame ?? 0

/** Returns the first frame of the context that can still be scheduled: it renders one device buffer at a time. */
export function earliestFrame(context: AudioContext): number {
  const marginS = Math.max(context.baseLatency, 0.01) + 0.01
  return Math.ceil((context.currentTime + marginS) * context.sampleRate)
}

function toAudioBuffer({ samples }: AudioBlock, sampleRate: number): AudioBuffer {
  const length = samples[0]?.length ?? 0
  const buffer = new AudioBuffer({ length, numberOfChannels: samples.length, sampleRate })
  for (const [index, channel] of samples.entries()) buffer.copyToChannel(channel, index)
  return buffer
}

/**
 * Maps frames of the audio context to frames of the track, piecewise linear over changes of rate, so that positions
 * stay exact over any number of changes. Both are counted at the context's sample rate.
 */
export interface FrameSpan {
  atFrame: number
  positionFrame: number
  /** Track frames per context frame. */
  rate: number
}

/** In order of `atFrame`, never empty. The last span has no end. */
export type FrameMap = readonly [FrameSpan, ...FrameSpan[]]

/** The audible frame lags the scheduled one by the output latency, so a few past spans are needed. */
const spansKept = 8

export function startFrameMap(atFrame: number, positionFrame: number): FrameMap {
  return [{ atFrame, positionFrame, rate: 1 }]
}

const lastSpan = (map: FrameMap): FrameSpan => map.at(-1) ?? map[0]

/** Returns the track's frame at a frame of the context; before the start, the first one. */
export function positionAtFrame(map: FrameMap, frame: number): number {
  const span = map.findLast((candidate) => candidate.atFrame <= frame) ?? map[0]
  return span.positionFrame + Math.max(0, frame - span.atFrame) * span.rate
}

/** Returns the context's frame at which a frame of the track is due, by the latest span. */
export function frameOfPosition(map: FrameMap, positionFrame: number): number {
  const { atFrame, positionFrame: from, rate } = lastSpan(map)
  return atFrame + (positionFrame - from) / rate
}

/**
 * Changes the rate from a context frame on. Back at rate 1 the position is rounded to a whole frame (at most 12
 * microseconds), so that samples are copied instead of interpolated.
 */
export function changeRate(map: FrameMap, atFrame: number, rate: number): FrameMap {
  return extendMap(map, atFrame, rate, 0)
}

/** Jumps by some frames of the track from a context frame on, at the same rate. */
export function jumpBy(map: FrameMap, atFrame: number, frames: number): FrameMap {
  return extendMap(map, atFrame, lastSpan(map).rate, frames)
}

function extendMap(map: FrameMap, atFrame: number, rate: number, jumpFrames: number): FrameMap {
  const from = Math.max(atFrame, lastSpan(map).atFrame)
  const exact = positionAtFrame(map, from) + jumpFrames
  const span = { atFrame: from, positionFrame: rate === 1 ? Math.round(exact) : exact, rate }
  const [first, ...rest] = map.filter((earlier) => earlier.atFrame < from).slice(-spansKept)
  return first ? [first, ...rest, span] : [span]
}

export interface BlockPlan {
  atFrame: number
  /** Offset into the block; more than 0 if its start has passed or belongs to an earlier span. */
  offsetFrames: number
  untilFrame: number
}

/** Schedules a block of the track, not before `earliestFrame`; null if its time has passed. */
export function planBlock(
  map: FrameMap,
  block: { startFrame: number; frames: number },
  earliestFrame: number,
): BlockPlan | null {
  const untilFrame = frameOfPosition(map, block.startFrame + block.frames)
  const atFrame = Math.max(frameOfPosition(map, block.startFrame), lastSpan(map).atFrame, earliestFrame)
  if (atFrame >= untilFrame) return null
  // Rounding must not move the offset before the block.
  const offsetFrames = Math.max(0, positionAtFrame(map, atFrame) - block.startFrame)
  return { atFrame, offsetFrames, untilFrame }
}
