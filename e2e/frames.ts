import type { Locator, Page } from '@playwright/test'

/** How a page kept up with frames while it was scrolled. */
export interface FrameFacts {
  /** Frames drawn, and those of a screen with 60 Hz in the same time. */
  drawn: number
  due: number
  /** The longest time between two frames, in ms. */
  longestMs: number
}

const wheelPx = 700

/** Scrolls by the wheel over an element, `turns` times, and counts the frames that the page drew meanwhile. */
export async function scrollAndCount(page: Page, over: Locator, turns: number): Promise<FrameFacts> {
  await over.hover()
  await page.evaluate(() => {
    const times: number[] = []
    const note = (atMs: number) => {
      times.push(atMs)
      if (times.length > 0) requestAnimationFrame(note)
    }
    Object.assign(globalThis, { frameTimes: times })
    requestAnimationFrame(note)
  })
  for (let turn = 0; turn < Math.abs(turns); turn += 1) await page.mouse.wheel(0, Math.sign(turns) * wheelPx)
  return await page.evaluate(() => {
    const times = (globalThis as unknown as { frameTimes: number[] }).frameTimes
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))
    const tookMs = gaps.reduce((sum, gap) => sum + gap, 0)
    return { drawn: gaps.length, due: Math.round((tookMs * 60) / 1_000), longestMs: Math.max(...gaps) }
  })
}
