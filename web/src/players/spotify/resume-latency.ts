import { isTrusted, playheadAt, type Playhead } from './spotify-playhead.ts'

/** A position, and when it is to be audible; from there on in real time. In ms. */
export interface Line {
  positionMs: number
  atClientMs: number
}

const initialMs = 60
/** A longer one was no latency, but an interruption. */
const maxMs = 500

/** Estimates how long a resumed player takes to sound. */
export class ResumeLatency {
  #meanMs = initialMs
  #line: Line | null = null

  get meanMs(): number {
    return this.#meanMs
  }

  /** Begins a measurement: the player was resumed `meanMs` early, to follow a line. */
  begin(line: Line): void {
    this.#line = line
  }

  /** Ends the measurement with the first positions that can be trusted. */
  measure(head: Playhead, nowMs: number): void {
    if (!this.#line || !isTrusted(head)) return
    const lateMs = positionOn(this.#line, nowMs) - playheadAt(head, nowMs)
    const measuredMs = this.#meanMs + lateMs
    this.#line = null
    if (measuredMs >= 0 && measuredMs <= maxMs) this.#meanMs = (this.#meanMs + measuredMs) / 2
  }
}

/** Returns the position on a line at an instant of the client's clock. */
export const positionOn = ({ positionMs, atClientMs }: Line, clientMs: number): number =>
  positionMs + clientMs - atClientMs
