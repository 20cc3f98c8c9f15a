import { expect, type Page, type Request, type WebSocket } from '@playwright/test'

/** The clock of a page, which stands still unless it is advanced. */
export interface PageClock {
  /** Page time since the clock was paused. */
  readonly elapsedMs: number
  /** Fires the timers that are due within `ms`, in steps of `strideMs`: 100 where there is no other. */
  advance(ms: number, strideMs?: number): Promise<void>
  /**
   * Advances until `isDone`, in steps of 100 ms. `strideMs` is for a long wait in which it does not matter that an answer is
   * that much later. @throws Error where it takes more than `maxMs` of page time
   */
  advanceUntil(isDone: () => boolean | Promise<boolean>, maxMs: number, strideMs?: number): Promise<void>
}

const stepMs = 100
/** Audio is streamed, and its requests may last as long as the track. */
const countedTypes = new Set(['fetch', 'script'])
/** A clock can only be paused at a later time than its own, which runs until then. */
const pauseAheadMs = 10_000

/**
 * Pauses the clock of a page that is loaded from now on. The network keeps running: every step waits until the calls,
 * handshakes and realtime events that were sent before are answered, so that no answer is late by the page's clock. Calls to
 * addresses that match `hanging` are not waited for.
 */
export async function pausePageClock(page: Page, hanging?: RegExp): Promise<PageClock> {
  const countUnanswered = trackUnanswered(page, hanging)
  let elapsedMs = 0
  const step = async (ms: number) => {
    await page.clock.runFor(ms)
    elapsedMs += ms
    if (countUnanswered() > 0) await expect.poll(countUnanswered).toBe(0)
  }
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + pauseAheadMs)
  return {
    get elapsedMs() {
      return elapsedMs
    },
    async advance(ms, strideMs = stepMs) {
      for (let left = ms; left > 0; left -= strideMs) await step(Math.min(left, strideMs))
    },
    async advanceUntil(isDone, maxMs, strideMs = stepMs) {
      const endMs = elapsedMs + maxMs
      while (!(await isDone())) {
        if (elapsedMs >= endMs) throw new Error(`Still waiting after ${maxMs} ms of page time`)
        await step(strideMs)
        await endAnimations(page)
      }
    },
  }
}

/** Waits for the frames of running animations, which the page's clock does not control: some elements leave with one. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}

/** Returns a function that counts the calls, Socket.IO handshakes and events with an acknowledgement that are unanswered. */
function trackUnanswered(page: Page, hanging?: RegExp): () => number {
  const calls = new Set<Request>()
  const handshakes = new Set<WebSocket>()
  const eventIds = new Set<string>()
  page.on('request', (request) => {
    if (countedTypes.has(request.resourceType()) && !hanging?.test(request.url())) calls.add(request)
  })
  page.on('requestfinished', (request) => calls.delete(request))
  page.on('requestfailed', (request) => calls.delete(request))
  page.on('websocket', (socket) => {
    // Two, the transport's and then the namespace's: the page may start the second much later.
    handshakes.add(socket)
    socket.on('framesent', ({ payload }) => {
      if (String(payload).startsWith('40')) handshakes.add(socket)
      const [, id] = /^42(\d+)\[/.exec(String(payload)) ?? []
      if (id !== undefined) eventIds.add(id)
    })
    socket.on('framereceived', ({ payload }) => {
      handshakes.delete(socket)
      const [, id] = /^43(\d+)\[/.exec(String(payload)) ?? []
      if (id !== undefined) eventIds.delete(id)
    })
    socket.on('close', () => {
      handshakes.delete(socket)
      eventIds.clear()
    })
  })
  return () => calls.size + handshakes.size + eventIds.size
}
