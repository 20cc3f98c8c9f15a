import type { ClockState } from '@earshot/core/sync/clock/clock-offset'
import { delay } from '../../timing.ts'

/**
 * Clocks of the page, ms: the one that sync uses, and the system's, which also counts the time in which the machine
 * slept.
 */
export interface PageClocks {
  wallMs: number
  systemMs: number
}

interface ConfirmationParts {
  /** The page begins with a copy of the room. */
  isRestored: boolean
  /** Measures the clock and requests the room's timeline; rejects without an answer. */
  request: () => Promise<void>
  /** Such a request was answered. */
  onConfirmed: () => void
  /** Ends the requests. */
  signal: AbortSignal
}

/** Sound is scheduled at most 4 s ahead: after a longer gap, a player would play what was due before it. */
const longestGapMs = 4_000
const retryMs = 1_000

/**
 * Knows whether the page's picture of the room may be outdated: after a reload, and after a time in which it did not
 * run.
 */
export class TimelineConfirmation {
  readonly #parts: ConfirmationParts
  #isTimelineConfirmed: boolean
  /** Samples of the server's clock from before do not count. */
  #clockSinceMs = -Infinity
  #before: PageClocks | null = null

  constructor(parts: ConfirmationParts) {
    this.#parts = parts
    this.#isTimelineConfirmed = !parts.isRestored
  }

  /**
   * Call it regularly while the page runs. Where it did not run for 4 s, everything is confirmed anew: the machine
   * slept, the browser froze the tab, or somebody set the system's clock forward, which looks the same.
   */
  check(now: PageClocks): void {
    const before = this.#before
    this.#before = now
    if (!before) return
    const passedMs = Math.max(now.wallMs - before.wallMs, now.systemMs - before.systemMs)
    if (passedMs < longestGapMs) return
    this.#clockSinceMs = now.wallMs
    if (!this.#isTimelineConfirmed) return
    this.#isTimelineConfirmed = false
    void this.#confirm()
  }

  /**
   * The server has sent the room's timeline. No later one can be missing once the clock is measured on the same connection,
   * which is awaited after a gap.
   */
  noteTimeline(now: PageClocks): void {
    this.check(now)
    this.#isTimelineConfirmed = true
  }

  /** Whether nothing may sound yet. */
  isOutdated({ line }: ClockState): boolean {
    return !this.#isTimelineConfirmed || (line !== null && line.atClientMs <= this.#clockSinceMs)
  }

  /** Joining the room again confirms it too. */
  async #confirm(): Promise<void> {
    const { request, onConfirmed, signal } = this.#parts
    while (!this.#isTimelineConfirmed && !signal.aborted) {
      try {
        await request()
        this.#isTimelineConfirmed = true
        onConfirmed()
      } catch {
        await delay(retryMs)
      }
    }
  }
}
