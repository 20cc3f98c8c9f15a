/** Recorders' times are up to 10 ms off. A packet that was lost is missed after 20 ms, its length in Opus. */
const jitterS = 0.015
/** Times that go back further begin anew, as in recordings that were joined: their sound goes on. */
const longestOverlapS = 1

/**
 * Counts decoded frames, and follows the times that a file states where they leave the count: they do so behind a gap, and
 * where packets overlap. Jitter and rounded times would be heard.
 */
export class FrameCount {
  readonly #sampleRate: number
  #nextFrame: number | null = null
  #offset = 0

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate
  }

  /** Returns the frame of the track at which decoded frames begin, by the one that the file states. */
  add(statedFrame: number, frames: number): number {
    const startFrame = this.#place(statedFrame + this.#offset)
    this.#nextFrame = startFrame + frames
    return startFrame
  }

  #place(statedFrame: number): number {
    if (this.#nextFrame === null) return statedFrame
    const aheadFrames = statedFrame - this.#nextFrame
    if (aheadFrames < -longestOverlapS * this.#sampleRate) this.#offset -= aheadFrames
    else if (Math.abs(aheadFrames) > jitterS * this.#sampleRate) return statedFrame
    return this.#nextFrame
  }
}
