import type { Locator, Page } from '@playwright/test'
import { boxesOf, overlap } from '../support/boxes.ts'
import { expect, test } from '../support/fixtures.ts'
import { serveNewerPage } from '../support/newer-page.ts'
import { holdNotices, nowPlaying, openRoom, openTab, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

/** Lets the page ask for its version, as when it was offline for a moment, until it shows the notice; resolves to it. */
async function showUpdateNotice(page: Page): Promise<Locator> {
  const notice = page.locator('output', { hasText: 'A new version is available' })
  await expect(async () => {
    // Its code loads after the first screen.
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(notice).toBeVisible({ timeout: 1_000 })
  }).toPass()
  return notice
}

test('17.105, 17.436 an Undo that is pressed by key gives the focus back, and one that a newer notice hides is there again once that one is gone', async ({
  app,
  owner: { page, context },
  room,
}) => {
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Neon Harbour', 'Glasshouse', 'Orchard Path'])
  await openTab(page, 'Queue')
  const entries = region(page, 'Queue').getByRole('button', { name: /^More for/ })
  await expect(entries).toHaveCount(2)
  await entries.first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
  await expect(entries).toHaveCount(1)
  await expect(entries).toBeFocused()
  const undo = region(page, 'Notifications').getByRole('button', { name: 'Undo' })
  await undo.focus()
  await page.keyboard.press('Enter')
  await expect(entries).toHaveCount(2)
  await expect(undo).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'More for Orchard Path' })).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await holdNotices(page)
  await entries.first().click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const notices = region(page, 'Notifications').getByRole('dialog')
  const hidden = notices.getByRole('button', { name: 'Undo' })
  await expect(hidden).toBeVisible()
  await page.getByRole('button', { name: 'Room settings' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = notices.filter({ hasText: 'Room settings saved' })
  await expect(saved).toBeVisible()
  await expect(hidden).toBeHidden()
  await saved.getByLabel('Close').click()
  await hidden.click()
  await expect(entries).toHaveCount(2)
})

test('17.437 the notice of a newer page covers nothing of the top bar, and waits behind the listen mode', async ({
  app,
  owner: { page, context },
  room,
}) => {
  await serveNewerPage(page)
  await page.goto(app.url)
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  const notice = await showUpdateNotice(page)
  const bar = page.locator('header').first()
  const controls = bar.getByRole('link').or(bar.getByRole('button'))
  for (const width of [390, 820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const covered = async () => {
      const [shown] = await boxesOf(notice)
      const boxes = await boxesOf(controls)
      expect(boxes.length).toBeGreaterThan(3)
      return shown && boxes.filter((box) => overlap(box, shown))
    }
    await expect.poll(covered, `${width} px`).toEqual([])
  }

  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await showUpdateNotice(page)
  await nowPlaying(page).getByRole('button', { name: 'Listen mode' }).click()
  await expect(page.locator('[data-listen-mode]')).toBeVisible()
  await expect(notice).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(notice).toBeVisible()
})
