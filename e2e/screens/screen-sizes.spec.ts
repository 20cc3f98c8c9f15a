import { languageCookie } from '@earshot/core/protocol/languages'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { addFirstTracks, nowPlaying, openRoom, openTab, region } from '../support/room-page.ts'
import { createRoom, fillMembers } from '../support/rooms.ts'

const boxOf = (element: Element) => {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
  return { left, right, top, bottom, width, height }
}

async function useTablets(page: Page): Promise<void> {
  const heading = nowPlaying(page).getByRole('heading', { level: 3 })
  for (const [width, height] of [
    [820, 1180],
    [768, 1024],
    [1000, 1100],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openTab(page, 'Chat')
    await expect
      .poll(() =>
        page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement
          return { x: scrollWidth - innerWidth, y: scrollHeight - innerHeight }
        }),
      )
      .toEqual({ x: 0, y: 0 })
    await expect(heading).toBeInViewport({ ratio: 1 })
    const message = page.getByRole('textbox', { name: 'Message' })
    await expect(message).toBeInViewport({ ratio: 1 })
    const panel = await page.getByRole('tabpanel').evaluate(boxOf)
    const tabs = await page.getByRole('tablist').evaluate(boxOf)
    expect(panel.height).toBeGreaterThanOrEqual(260)
    expect(tabs.bottom).toBeLessThanOrEqual(panel.top + 1)
    await expect(page.locator('#stage > :last-child')).toBeInViewport({ ratio: 1 })
    const reactions = await nowPlaying(page).getByRole('group', { name: 'Reactions' }).evaluate(boxOf)
    expect(reactions.bottom).toBeLessThanOrEqual(panel.top)
  }
}

async function useLargeScreens(page: Page): Promise<void> {
  const rail = page.getByRole('complementary')
  const artwork = region(page, 'Queue').getByRole('listitem').first().locator('img, [data-artwork]').first()
  await openTab(page, 'Queue')
  const measure = async () => ({
    rail: (await rail.evaluate(boxOf)).width,
    artwork: (await artwork.evaluate(boxOf)).width,
  })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect.poll(measure).toEqual({ rail: 360, artwork: 40 })
  await page.setViewportSize({ width: 2560, height: 1440 })
  await expect.poll(measure).toEqual({ rail: 432, artwork: 40 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(1440)

  await openTab(page, 'Find Music')
  const album = region(page, 'Find Music').getByRole('list', { name: 'Recently added' }).getByRole('button')
  const cutOff = await album
    .first()
    .evaluate(({ children }) => Array.from(children, (part) => part.scrollHeight - part.clientHeight))
  expect(Math.max(...cutOff)).toBe(0)

  const middleOf = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return (top + bottom) / 2
  }
  const slider = await page.getByRole('slider', { name: 'Volume' }).evaluate(middleOf)
  const icon = await page.getByRole('button', { name: 'Mute' }).evaluate(middleOf)
  expect(Math.abs(slider - icon)).toBeLessThanOrEqual(1)
}

async function useLaptops(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1366, height: 768 })
  const play = nowPlaying(page).getByRole('button', { name: 'Play', exact: true })
  const search = page.getByRole('searchbox', { name: 'Search for music' })
  await search.fill('neon')
  await search.press('Enter')
  const found = region(page, 'Find Music').getByRole('button', { name: 'Add Neon Harbour to the queue' })
  await expect(page.getByText('Results - Click + to add to queue')).toBeVisible()
  for (const shown of [found, search, play]) await expect(shown).toBeInViewport({ ratio: 1 })
  await openTab(page, 'Chat')
  const message = page.getByRole('textbox', { name: 'Message' })
  for (const shown of [message, play]) await expect(shown).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
}

async function openSyncPanel(page: Page): Promise<void> {
  const player = page.locator('#stage > :last-child')
  const badge = player.getByRole('button', { name: /^Your sync/ })
  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await badge.click()
    const panel = page.getByRole('dialog')
    await expect(panel).toBeInViewport({ ratio: 1 })
    const { top } = await player.evaluate(boxOf)
    await expect.poll(async () => (await panel.evaluate(boxOf)).bottom).toBeLessThanOrEqual(top + 1)
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }
}

test('17.158, 17.165, 17.166, 17.170, 17.251 a room uses the screens of upright tablets, of laptops and large ones', async ({
  app,
  owner: { page },
  room,
}) => {
  await page.goto(room.path)
  await addFirstTracks(page, 3)
  await test.step('17.165 on an upright tablet the stage, the rail and the player of a room share the screen', () =>
    useTablets(page))
  await test.step('17.170, 17.251 on a large screen the page is a fifth larger, a room fits it, the text below an album is whole, and the volume is on one line with its icon', () =>
    useLargeScreens(page))
  await test.step('17.158 at 1366 x 768 a search result, the field of the chat and the playback buttons are in sight at once with their tab', () =>
    useLaptops(page))
  const leaving = new AbortController()
  await fillMembers(app, { roomId: room.id }, 1, leaving.signal)
  await test.step('17.166 the sync panel opens above the player bar and covers none of it', () =>
    openSyncPanel(page))
  leaving.abort()
})

test('17.167, 17.168 in Arabic times run from left to right, and a message stands beside its sender', async ({
  app,
  owner: { context, page },
  room,
}) => {
  await page.goto(room.path)
  await addFirstTracks(page, 1)
  await openTab(page, 'Chat')
  await page.getByRole('textbox', { name: 'Message' }).fill('Morning! What now?')
  await page.keyboard.press('Enter')
  await expect(region(page, 'Chat').getByText('Morning! What now?')).toBeVisible()
  await context.addCookies([{ name: 'language', value: 'ar', url: app.publicUrl }])
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.getByRole('tab').last().click()
  const text = page.getByText('Morning! What now?')
  const line = await page.locator('li', { has: text }).locator('time').evaluate(boxOf)
  const message = await text.evaluate(boxOf)
  const rail = await page.getByRole('tabpanel').evaluate(boxOf)
  // The sender's name is at the right, and the time to its left.
  expect(message.right).toBeGreaterThanOrEqual(line.right)
  expect(message.left).toBeGreaterThan(rail.left + 60)

  // The louder end of the volume is not at its button.
  const volume = page.locator('#stage input[step="0.05"]')
  const mute = volume.locator('xpath=../../..').getByRole('button')
  expect((await mute.evaluate(boxOf)).right).toBeLessThanOrEqual((await volume.evaluate(boxOf)).left)

  await page.locator('header:has(h1) button').last().click()
  const chart = page.locator('[class*="grid-area:debug"] figure')
  const labels = chart.locator('div[aria-hidden] + svg + div[aria-hidden] > span')
  await expect(labels).toHaveCount(2)
  const [oldest, latest] = await labels.evaluateAll((each) =>
    each.map((label) => label.getBoundingClientRect().left),
  )
  expect(oldest).toBeLessThan(latest ?? 0)

  await page.locator('body').press('f')
  const times = page.locator('[data-listen-mode]').getByText('/ 1:')
  await expect(times).toBeVisible()
  const elapsed = await times.locator('span').first().evaluate(boxOf)
  const whole = await times.evaluate(boxOf)
  expect(elapsed.left).toBeLessThanOrEqual(whole.left + 1)
})

test('17.449 the name of a room with many members has 160 px at least, in every language', async ({
  app,
  owner: { page, context },
}) => {
  const password = 'attic'
  const name = 'Friday kitchen and the long evenings'
  const id = await createRoom(app, context, { name, isPublic: false, password })
  await openRoom(page, app.url, id)
  const leaving = new AbortController()
  await fillMembers(app, { roomId: id, password }, 13, leaving.signal)
  const header = page.locator('header:has(h1)')
  for (const language of ['en', 'de', 'ar']) {
    // The page is in English as it opens.
    if (language !== 'en') {
      await context.addCookies([{ name: languageCookie, value: language, url: app.url }])
      await page.reload()
    }
    await expect(header.getByText(/\b14\b/)).not.toHaveCount(0)
    for (const width of [1024, 1100, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const size = `${language}, ${width} px`
      await expect
        .poll(async () => (await header.locator('h1').evaluate(boxOf)).width, size)
        .toBeGreaterThanOrEqual(160)
      expect(await header.evaluate((bar) => bar.scrollWidth - bar.clientWidth), size).toBe(0)
    }
  }
  leaving.abort()
})
