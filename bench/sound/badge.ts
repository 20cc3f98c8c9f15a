import type { Page } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from '@earshot/e2e/sound/skew/session-windows'

/** What a listener's sync badge showed. */
export interface BadgeReading {
  /** Ms from the start of the recording. */
  atMs: number
  person: Person
  /** Null where it shows no figure: while the clock settles, say. */
  shownMs: number | null
}

const everyMs = 1_000

/** Reads the badges of all pages every second until it is stopped. A page that is loading has none. */
export function readBadges(pages: Page[], nowMs: () => number): { stop(): Promise<BadgeReading[]> } {
  const readings: BadgeReading[] = []
  let isStopped = false
  const read = async (page: Page, person: Person) => {
    const atMs = nowMs()
    // A loading page answers late or never.
    const answer = await Promise.race([page.evaluate(findBadge).catch(() => null), delay(everyMs, null)])
    if (answer !== null) readings.push({ atMs, person, shownMs: parseBadge(answer) })
  }
  const running = (async () => {
    while (!isStopped) await Promise.all([...pages.map(read), delay(everyMs)])
  })()
  return {
    stop: async () => {
      isStopped = true
      await running
      return readings
    },
  }
}

/** Runs in the page. */
function findBadge(): string | null {
  const buttons = [...document.querySelectorAll('#stage button')]
  return buttons.find((button) => button.textContent.startsWith('Your sync'))?.textContent ?? null
}

/** Returns the figure of a badge such as `In sync · 4 ms`, ms; null where it has none. */
export function parseBadge(text: string): number | null {
  const figure = /([\d.]+) ms\b/.exec(text)?.[1]
  return figure === undefined ? null : Number(figure)
}
