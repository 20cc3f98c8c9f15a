import { expect, type Page } from '@playwright/test'

/** The clock of a page, which stands still unless it is advanced. */
export interface PageClock {
  /** Page time since the clock was paused. */
  readonly elapsedMs: number
  /** Fires the timers that are due within `ms`, in small steps. */
  advance(ms: number): Promise<void>
  /** Advances until `isDone`. @throws Error where that takes more than `maxMs` of page time */
  advanceUntil(isDone: () => boolean | Promise<boolean>, maxMs: number): Promise<void>
}

const stepMs = 100
/** A clock can only be paused at a later time than its own, which runs until then. */
const pauseAheadMs = 10_000

/**
 * Pauses the clock of a page that is loaded from now on. The network keeps running: every step waits until the server has
 * acknowledged the realtime events that were sent before, so that no answer is late by the page's clock.
 */
export async function pausePageClock(page: Page): Promise<PageClock> {
  const unanswered = trackUnanswered(page)
  let elapsedMs = 0
  const step = async (ms: number) => {
    await page.clock.runFor(ms)
    elapsedMs += ms
    if (unanswered.size > 0) await expect.poll(() => unanswered.size).toBe(0)
  }
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + pauseAheadMs)
  return {
    get elapsedMs() {
      return elapsedMs
    },
    async advance(ms) {
      for (let left = ms; left > 0; left -= stepMs) await step(Math.min(left, stepMs))
    },
    async advanceUntil(isDone, maxMs) {
      const endMs = elapsedMs + maxMs
      while (!(await isDone())) {
        if (elapsedMs >= endMs) throw new Error(`Still waiting after ${maxMs} ms of page time`)
        await step(stepMs)
      }
    },
  }
}

/** The ids of Socket.IO events whose acknowledgement has not arrived. */
function trackUnanswered(page: Page): Set<string> {
  const ids = new Set<string>()
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const [, id] = /^42(\d+)\[/.exec(String(payload)) ?? []
      if (id !== undefined) ids.add(id)
    })
    socket.on('framereceived', ({ payload }) => {
      const [, id] = /^43(\d+)\[/.exec(String(payload)) ?? []
      if (id !== undefined) ids.delete(id)
    })
    socket.on('close', () => ids.clear())
  })
  return ids
}
