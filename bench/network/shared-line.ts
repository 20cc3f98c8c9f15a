import type { Clock } from '@earshot/core/clock'

/** A line that all connections share: what they send passes it one after the other, at its bandwidth. */
export interface SharedLine {
  /** Bytes that have passed. */
  readonly passedBytes: number
  readonly hasLimit: boolean
  /** Null for no limit. Applies to what is sent from now on. */
  setBandwidth(bitsPerSecond: number | null): void
  /** Calls `deliver` when so many bytes have passed. */
  send(bytes: number, deliver: () => void): void
}

export function createSharedLine(clock: Clock): SharedLine {
  let bitsPerSecond: number | null = null
  let freeAtMs = 0
  let passedBytes = 0
  return {
    get passedBytes() {
      return passedBytes
    },
    get hasLimit() {
      return bitsPerSecond !== null
    },
    setBandwidth(next) {
      bitsPerSecond = next
      freeAtMs = clock.now()
    },
    send(bytes, deliver) {
      const pass = () => {
        passedBytes += bytes
        deliver()
      }
      const now = clock.now()
      if (bitsPerSecond === null && freeAtMs <= now) return pass()
      freeAtMs = Math.max(freeAtMs, now) + (bitsPerSecond === null ? 0 : (8_000 * bytes) / bitsPerSecond)
      clock.after(freeAtMs - now, pass)
    },
  }
}
