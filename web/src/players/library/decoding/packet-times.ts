import { isChromium } from '../../chromium.ts'

/**
 * Whether each packet gives one sample. Of WebKit that is known of GTK only, and not needed: its samples have the times of
 * their packets.
 */
const isPaired = isChromium || navigator.userAgent.includes('Firefox/')

/**
 * Pairs what a decoder outputs with the packets that it was given. The decoder's own time is counted in Chromium, which is too
 * early behind a gap in the file, and that of the packet before where Vorbis starts: its first packet gives no sample
 * (Vorbis I, 4.3.8).
 */
export class PacketTimes {
  readonly #isVorbis: boolean
  /** Of the packets whose samples are to come, s. */
  readonly #timesS: number[] = []
  #isFirst = true

  constructor(codec: string | null) {
    this.#isVorbis = codec === 'vorbis'
  }

  /** A packet is decoded. */
  add(timeS: number): void {
    if (!this.#isFirst || !this.#isVorbis) this.#timesS.push(timeS)
    this.#isFirst = false
  }

  /** Returns the time of the packet whose sample has come, s; null where the sample's own is to be taken. */
  next(): number | null {
    const timeS = this.#timesS.shift()
    return isPaired || this.#isVorbis ? (timeS ?? null) : null
  }
}
