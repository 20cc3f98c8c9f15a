import { youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import { expect, type Page } from '@playwright/test'
import { test as base } from '../support/fixtures.ts'
import { nowPlaying, openTab, region } from '../support/room-page.ts'

/** With a key, because playlists and searches need one. */
const test = base.extend({
  serverEnv: ({ youtube }, provide) => provide(youtubeSettings(youtube, defaultApiKey)),
})

// In one worker: each starts a server.
test.describe.configure({ mode: 'default' })

const findMusic = (page: Page) => region(page, 'Find Music')

async function submit(page: Page, text: string): Promise<void> {
  const box = findMusic(page).getByRole('searchbox')
  await box.fill(text)
  await box.press('Enter')
}

test('15.30, 15.32, 15.34 a pasted playlist is added in one go, nothing twice after a lost answer', async ({
  owner: { page },
  room,
}) => {
  await page.goto(room.path)
  let isFirst = true
  await page.route('**/queue/import', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await route.fetch()
    await route.abort('connectionreset')
  })
  await submit(page, 'https://www.youtube.com/playlist?list=PLsample0120')
  const preview = page.getByRole('dialog', { name: 'Studies, almost twice' })
  await expect(preview.getByText('120 tracks · by Ada Keys')).toBeVisible()
  await preview.getByRole('button', { name: 'Add 70 tracks' }).click()
  await expect(preview.getByText('70 tracks are in the queue')).toBeVisible()
  await preview.getByRole('button', { name: 'Close' }).click()
  await expect(nowPlaying(page).getByRole('heading', { level: 3 })).toBeVisible()
  await openTab(page, 'Queue')
  await expect(region(page, 'Queue').getByText('69 tracks')).toBeVisible()
  await openTab(page, 'Find Music')
  await expect(findMusic(page).getByText('70 tracks are in the queue')).toBeVisible()
})

test(
  '15.32, 15.35 what cannot be added is listed with its reason, and the rest is added',
  { tag: '@long' },
  async ({ owner: { page }, room }) => {
    await page.goto(room.path)
    await submit(page, 'youtube.com/playlist?list=PLsample0001')
    const preview = page.getByRole('dialog', { name: 'A short list' })
    await expect(preview.getByText(/entries cannot be added|entry cannot be added/)).toBeVisible()
    await preview.getByRole('button', { name: 'Select none' }).click()
    await preview.getByRole('checkbox').and(page.locator(':enabled')).first().check()
    await preview.getByRole('button', { name: 'Add 1 track' }).click()
    await expect(preview.getByText('1 track is in the queue')).toBeVisible()
  },
)

test(
  '2.23e, 15.30, 15.31 a link costs no search, a search costs one, and the owner can open a video',
  { tag: '@long' },
  async ({ owner, listener, room }) => {
    const { page } = owner
    await page.goto(room.path)
    await findMusic(page).locator('label', { hasText: 'YouTube' }).click()
    const left = findMusic(page).getByText(/ of 100 searches left today$/)
    const before = parseInt((await left.textContent()) ?? '', 10)
    await submit(page, 'youtu.be/harbour0001')
    await findMusic(page)
      .getByRole('button', { name: /^Add .* to the queue$/ })
      .click()
    const open = nowPlaying(page).getByRole('link', { name: 'Open', exact: true })
    await expect(open).toHaveAttribute('href', 'https://www.youtube.com/watch?v=harbour0001')
    await expect(left).toHaveText(`${before} of 100 searches left today`)
    await submit(page, 'harbour')
    await expect(findMusic(page).getByText('Results - Click + to add to queue')).toBeVisible()
    await expect(left).toHaveText(`${before - 1} of 100 searches left today`)

    await listener.page.goto(room.path)
    await expect(nowPlaying(listener.page).getByRole('heading', { level: 3 })).toBeVisible()
    await expect(nowPlaying(listener.page).getByRole('link', { name: 'Open', exact: true })).toHaveCount(0)
  },
)
