import type { AudioBlock } from './decoding/audio-blocks.ts'
import {
  changeRate,
  frameOfPosition,
  jumpBy,
  lastSpan,
  planBlock,
  positionAtFrame,
  startFrameMap,
  type BlockPlan,
  type FrameMap,
} from './frame-map.ts'
import { earliestFrame } from './output/earliest-frame.ts'
import { isJumpWorthwhile } from './output/output-shift.ts'

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
/** A late run is judged by its progress only after this time, s. */
const judgedAfterS = 1
/** Opening a track is expected to take 1.5 times as long as the last time, and at least this, s. */
const openingMargin = 1.5
const leastOpeningS = 1
/** And at most this, s: the line may have been cut off meanwhile. Doubled whenever it was too short. */
const mostOpeningS = 5
/** Ramp at each start and stop, which avoids clicks. */
const fadeS = 0.004

/** Opens a track's sound at one of its frames. */
type OpenSound = (positionFrame: number) => AsyncIterable<AudioBlock>

/** How late a block of the track was decoded, and when, s of the context. */
interface Lateness {
  atS: number
  lateS: number
}

/**
 * Schedules one uninterrupted run of a track's blocks on an audio context, each at the frame given by a frame map. Late
 * blocks are cut or skipped, never delayed, so the run keeps its timing.
 */
export class BufferQueue {
  readonly #context: AudioContext
  readonly #gain: GainNode
  readonly #onEnd: () => void
  readonly #startedAtS: number
  readonly #queue: QueuedBlock[] = []
  #map: FrameMap
  #isPlaying = false
  #isComplete = false
  /** Where it fades out, once it is to stop. */
  #stopFrame = Infinity
  #isStopped = false
  #credit = 0
  #wake: () => void = () => undefined
  #endPosition = 0
  #fed: Promise<void> = Promise.resolve()
  #mostOpeningS = mostOpeningS

  constructor(
    context: AudioContext,
    output: AudioNode,
    start: { atFrame: number; positionFrame: number },
    onEnd: () => void,
  ) {
    this.#context = context
    this.#map = startFrameMap(start.atFrame, start.positionFrame)
    this.#onEnd = onEnd
    this.#startedAtS = this.#toSeconds(start.atFrame)
    this.#gain = context.createGain()
    this.#gain.connect(output)
  }

  /**
   * Schedules the blocks of a track as they arrive, a few seconds ahead. Where the processor or the line does not
   * catch up with what is due, it leaves out what was missed. Resolves after the last block, or when stopped.
   */
  feed(open: OpenSound): Promise<void> {
    this.#fed = this.#feedAll(open)
    return this.#fed
  }

  /** Resolves once the track is needed no more. */
  whenFed(): Promise<void> {
    return this.#fed.catch(() => undefined)
  }

  async #feedAll(open: OpenSound): Promise<void> {
    let from: number | null = this.#map[0].positionFrame
    while (from !== null) from = await this.#feedFrom(open, from)
    if (!this.#isStopped) this.#isComplete = true
    this.#endIfDone()
  }

  /** Schedules the blocks from a frame of the track on. Returns the frame from which to go on; null after the last block. */
  async #feedFrom(open: OpenSound, from: number): Promise<number | null> {
    const openedAtS = this.#context.currentTime
    let openingS: number | null = null
    let firstLate: Lateness | null = null
    for await (const block of open(from)) {
      if (this.#isStopped) return null
      openingS ??= this.#expectOpening(this.#context.currentTime - openedAtS)
      const late = this.#enqueue(block)
      this.#isStopped = earliestFrame(this.#context) > this.#stopFrame || this.covers(this.#stopFrame)
      if (this.#isStopped) return null
      firstLate = late && (firstLate ?? late)
      const isSlow = firstLate && late && isSlowToCatchUp(firstLate, late, openingS)
      if (isSlow && this.#stopFrame === Infinity) return this.#skip(openingS)
      await this.#untilNeeded()
    }
    return null
  }

  #expectOpening(lastS: number): number {
    return Math.min(this.#mostOpeningS, Math.max(leastOpeningS, openingMargin * lastS))
  }

  /** Returns the frame of the track that is due once it has been opened there. */
  #skip(openingS: number): number {
    this.#isPlaying = false
    this.#mostOpeningS *= 2
    const atFrame = earliestFrame(this.#context) + openingS * this.#context.sampleRate
    return Math.round(positionAtFrame(this.#map, atFrame))
  }

  /** Returns the track's frame at a frame of the context. */
  positionAt(contextFrame: number): number {
    return positionAtFrame(this.#map, contextFrame)
  }

  /** The track's frame after the last block. */
  get endPosition(): number {
    return this.#endPosition
  }

  /** The context's frame at which the track ends; null while its end is not decoded, and where it is to stop before. */
  get endFrame(): number | null {
    return this.#isComplete && !this.#isStopped ? (this.#queue.at(-1)?.plan.untilFrame ?? null) : null
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

  /**
   * Follows a shift of the output by a jump back to the schedule, or leaves it to the rate or to the next turn of the player
   * loop.
   */
  followShift(frames: number): void {
    const soundsForMs = 1_000 * (this.#context.currentTime - this.#startedAtS)
    const shiftMs = 1_000 * this.#toSeconds(Math.abs(frames))
    if (this.#stopFrame < Infinity || !isJumpWorthwhile(shiftMs, soundsForMs)) return
    const next = jumpBy(this.#map, earliestFrame(this.#context), frames)
    this.#fadeAround(this.#toSeconds(lastSpan(next).atFrame))
    this.#reschedule(next)
  }

  /** Fades out at a frame of the context, or as soon as possible. Until then, it is fed. */
  stop(atFrame: number): void {
    const earliest = earliestFrame(this.#context)
    if (Math.max(atFrame, earliest) >= this.#stopFrame) return
    this.#stopFrame = Math.max(atFrame, earliest)
    this.#isStopped = this.#stopFrame === earliest || this.#isComplete || this.covers(this.#stopFrame)
    const at = this.#toSeconds(this.#stopFrame)
    const { gain } = this.#gain
    gain.cancelScheduledValues(at)
    gain.setValueAtTime(1, at)
    gain.linearRampToValueAtTime(0, at + fadeS)
    for (const { node, plan } of this.#queue)
      if (this.#toSeconds(plan.untilFrame) > at + fadeS) node.stop(at + fadeS)
    this.#wake()
  }

  /** Reschedules the blocks after the last change of the map. */
  #reschedule(map: FrameMap): void {
    const from = lastSpan(map).atFrame
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

  /** Schedules a block. Returns how late it is if its time has passed. */
  #enqueue(block: AudioBlock): Lateness | null {
    this.#endPosition = block.startFrame + block.frames
    const earliest = earliestFrame(this.#context)
    const plan = planBlock(this.#map, block, earliest)
    if (!plan) {
      const lateFrames = earliest - frameOfPosition(this.#map, this.#endPosition)
      return { atS: this.#context.currentTime, lateS: this.#toSeconds(lateFrames) }
    }
    if (plan.atFrame >= this.#stopFrame) return null
    if (!this.#isPlaying || plan.offsetFrames > 0) this.#fadeIn(plan, block)
    this.#isPlaying = true
    this.#queue.push(this.#start(block, toAudioBuffer(block, this.#context.sampleRate), plan))
    return null
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
      playbackRate: lastSpan(this.#map).rate,
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
    if ((this.#isComplete || this.#isStopped) && this.#queue.length === 0) this.#onEnd()
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
    const fromS = Math.max(this.#context.currentTime, this.#startedAtS)
    return last ? this.#toSeconds(last.plan.untilFrame) - fromS : 0
  }

  #toSeconds(frames: number): number {
    return frames / this.#context.sampleRate
  }
}

/**
 * Returns whether a run that is late takes longer to catch up, at the pace it has shown since its first late block,
 * than to open the track where it is due.
 */
export function isSlowToCatchUp(first: Lateness, last: Lateness, openingS: number): boolean {
  const tookS = last.atS - first.atS
  const caughtUpS = first.lateS - last.lateS
  return tookS >= judgedAfterS && last.lateS * tookS > openingS * caughtUpS
}

function toAudioBuffer({ samples }: AudioBlock, sampleRate: number): AudioBuffer {
  const length = samples[0]?.length ?? 0
  const buffer = new AudioBuffer({ length, numberOfChannels: samples.length, sampleRate })
  for (const [index, channel] of samples.entries()) buffer.copyToChannel(channel, index)
  return buffer
}
