import type { Browser, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying, openTab, region } from '../support/room-page.ts'

interface TraceEvent {
  name: string
  /** When it began. */
  ts: number
  args?: { elementCount?: number }
}

/** Adds an element to a list as scrolling does, and counts the elements whose styles the browser computes for it. */
async function countRestyled(browser: Browser, page: Page, selector: string): Promise<number> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] })
  await page.evaluate((list) => {
    const host = document.querySelector(list)
    if (!host) throw new Error(`There is no ${list}`)
    // Earlier changes of the page are not counted.
    void document.body.offsetHeight
    performance.mark('first item')
    for (let count = 0; count < 20; count += 1) {
      const item = document.createElement('li')
      item.append(document.createElement('button'))
      host.append(item)
      // Computes the styles now.
      void item.offsetHeight
      item.remove()
      void document.body.offsetHeight
    }
    performance.mark('last item')
  }, selector)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const timeOf = (mark: string) => traceEvents.find(({ name }) => name === mark)?.ts ?? Number.NaN
  const [fromTs, toTs] = [timeOf('first item'), timeOf('last item')]
  return traceEvents
    .filter(({ name, ts }) => name === 'UpdateLayoutTree' && ts >= fromTs && ts <= toTs)
    .reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0)
}

test('17.120 an element that is added to a list does not restyle the page', async ({
  browser,
  owner: { page },
  room,
}) => {
  await page.goto(room.path)
  await expect(nowPlaying(page)).toBeVisible()
  await openTab(page, 'Chat')
  await expect(region(page, 'Chat').getByRole('log')).toBeAttached()
  const elements = await page.locator('*').count()
  expect(elements).toBeGreaterThan(200)
  const restyled = await countRestyled(browser, page, '[role=log] > ol')
  // 20 items with a button each.
  expect(restyled).toBeGreaterThanOrEqual(20 * 2)
  expect(restyled).toBeLessThan(20 * 30)
})
