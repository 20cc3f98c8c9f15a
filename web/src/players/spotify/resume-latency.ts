import { isTrusted, playheadAt, type Playhead } from './spotify-playhead.ts'

/** A position and the instant at which it is to be audible; playback then runs in real time. In ms. */
export interface Anchor {
  positionMs: number
  atClientMs: number
}

const initialMs = 60
/** A longer one was no latency, but an interruption. */
const maxMs = 500

/** Estimates how long a resumed player takes to sound. */
export class ResumeLatency {
  #meanMs = initialMs
  #anchor: Anchor | null = null

  get meanMs(): number {
    return this.#meanMs
  }

  /** Begins a measurement: the player was resumed `meanMs` early to be audible at the anchor. */
  begin(anchor: Anchor): void {
    this.#anchor = anchor
  }

  /** Ends the measurement with the first positions that can be trusted. */
  measure(head: Playhead, nowMs: number): void {
    if (!this.#anchor || !isTrusted(head)) return
    const lateMs = positionAfter(this.#anchor, nowMs) - playheadAt(head, nowMs)
    const measuredMs = this.#meanMs + lateMs
    this.#anchor = null
    if (measuredMs >= 0 && measuredMs <= maxMs) this.#meanMs = (this.#meanMs + measuredMs) / 2
  }
}

/** Returns the position at an instant of the client's clock, at rate 1 from the anchor. */
export const positionAfter = ({ positionMs, atClientMs }: Anchor, clientMs: number): number =>
  positionMs + clientMs - atClientMs
