import {
  changeRate,
  jumpOnLine,
  planBlock,
  positionAtFrame,
  type BlockPlan,
  type PositionLine,
} from './frame-map.ts'
import type { SoundBlock } from './audio-blocks.ts'

interface QueuedBlock {
  block: SoundBlock
  buffer: AudioBuffer
  plan: BlockPlan
  node: AudioBufferSourceNode
}

/** Sound is scheduled this far ahead, no further: it bounds the memory, and what a change of rate redoes. */
const aheadS = 4
/** So much is decoded at once, the rest while sound is used up, since a burst of decoding makes the output stutter. */
const aheadAtOnceS = 1
const blocksPerEnd = 2
/** Ramp at each start and stop, against clicks. */
const fadeS = 0.004

/**
 * One uninterrupted run of a track on an audio context: it sounds blocks exactly where a position line says. Blocks
 * that come too late are cut or left out, never delayed, so the run stays on its line whatever happens.
 */
export class Voice {
  readonly #context: AudioContext
  readonly #gain: GainNode
  readonly #onEnd: () => void
  readonly #queue: QueuedBlock[] = []
  #line: PositionLine
  #isSounding = false
  #isFed = false
  #isStopped = false
  #allowance = 0
  #wake: () => void = () => undefined
  #endPosition = 0

  constructor(context: AudioContext, output: AudioNode, line: PositionLine, onEnd: () => void) {
    this.#context = context
    this.#line = line
    this.#onEnd = onEnd
    this.#gain = context.createGain()
    this.#gain.connect(output)
  }

  /** Schedules the blocks as they come, a few seconds ahead. Resolves when there are no more, or it was stopped. */
  async feed(blocks: AsyncIterable<SoundBlock>): Promise<void> {
    for await (const block of blocks) {
      if (this.#isStopped) return
      this.#enqueue(block)
      await this.#whenWanting()
    }
    this.#isFed = true
    this.#endIfDone()
  }

  /** The track's frame at a frame of the context. */
  positionAt(contextFrame: number): number {
    return positionAtFrame(this.#line, contextFrame)
  }

  /** The track's frame after the last one that was fed. */
  get endPosition(): number {
    return this.#endPosition
  }

  /** Whether the track's frame that is due at a frame of the context was there in time. */
  covers(contextFrame: number): boolean {
    const last = this.#queue.at(-1)
    if (contextFrame < this.#line[0].atFrame) return true
    return last !== undefined && contextFrame < last.plan.untilFrame + fadeS * this.#context.sampleRate
  }

  setRate(rate: number): void {
    this.#bend(changeRate(this.#line, earliestFrame(this.#context), rate))
  }

  /** Goes on some frames further in the track (or back), as soon as it can. */
  jump(frames: number): void {
    const next = jumpOnLine(this.#line, earliestFrame(this.#context), frames)
    this.#dipAt(this.#toSeconds(lastFrame(next)))
    this.#bend(next)
  }

  /** Fades out at a frame of the context, or as soon as it can. */
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

  /** Schedules anew what lies behind the line's last bend. */
  #bend(line: PositionLine): void {
    const from = lastFrame(line)
    this.#line = line
    for (const [index, queued] of this.#queue.entries()) {
      if (queued.plan.untilFrame <= from) continue
      const plan = planBlock(line, queued.block, from)
      queued.node.stop(this.#toSeconds(from))
      if (!plan) continue
      queued.node.onended = null
      this.#queue[index] = this.#start(queued.block, queued.buffer, plan)
    }
  }

  #dipAt(at: number): void {
    const { gain } = this.#gain
    gain.setValueAtTime(1, at - fadeS / 2)
    gain.linearRampToValueAtTime(0, at)
    gain.linearRampToValueAtTime(1, at + fadeS / 2)
  }

  #enqueue(block: SoundBlock): void {
    this.#endPosition = block.startFrame + block.frames
    const plan = planBlock(this.#line, block, earliestFrame(this.#context))
    if (!plan) return
    if (!this.#isSounding || plan.offsetFrames > 0) this.#fadeIn(plan, block)
    this.#isSounding = true
    this.#queue.push(this.#start(block, toAudioBuffer(block, this.#context.sampleRate), plan))
  }

  /** The very beginning of a track starts as it was recorded. */
  #fadeIn(plan: BlockPlan, block: SoundBlock): void {
    if (block.startFrame + plan.offsetFrames === 0) return
    const at = this.#toSeconds(plan.atFrame)
    this.#gain.gain.setValueAtTime(0, at)
    this.#gain.gain.linearRampToValueAtTime(1, at + fadeS)
  }

  #start(block: SoundBlock, buffer: AudioBuffer, plan: BlockPlan): QueuedBlock {
    const node = new AudioBufferSourceNode(this.#context, {
      buffer,
      playbackRate: this.#line.at(-1)?.rate ?? 1,
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
    this.#allowance = blocksPerEnd
    this.#wake()
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#isFed && !this.#isStopped && this.#queue.length === 0) this.#onEnd()
  }

  async #whenWanting(): Promise<void> {
    while (!this.#isStopped && !this.#wantsMore()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#allowance--
  }

  #wantsMore(): boolean {
    const ahead = this.#aheadS()
    return ahead < aheadAtOnceS || (ahead < aheadS && this.#allowance > 0)
  }

  #aheadS(): number {
    const last = this.#queue.at(-1)
    return last ? this.#toSeconds(last.plan.untilFrame) - this.#context.currentTime : 0
  }

  #toSeconds(frames: number): number {
    return frames / this.#context.sampleRate
  }
}

const lastFrame = (line: PositionLine): number => line.at(-1)?.atFrame ?? 0

/** The first frame of the context that can still be scheduled exactly: it renders a device buffer at a time. */
export function earliestFrame(context: AudioContext): number {
  const marginS = Math.max(context.baseLatency, 0.01) + 0.01
  return Math.ceil((context.currentTime + marginS) * context.sampleRate)
}

function toAudioBuffer({ samples }: SoundBlock, sampleRate: number): AudioBuffer {
  const length = samples[0]?.length ?? 0
  const buffer = new AudioBuffer({ length, numberOfChannels: samples.length, sampleRate })
  for (const [index, channel] of samples.entries()) buffer.copyToChannel(channel, index)
  return buffer
}
