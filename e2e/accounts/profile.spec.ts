import type { Page } from '@playwright/test'
import { join } from 'node:path'
import { findProblems } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { readLayoutShift } from '../support/layout-shift.ts'
import { openMembers, region } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

const thumbnail =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"%3E%3Crect width="16" height="9" fill="teal"/%3E%3C/svg%3E'
const results = [
  'Night Ferry (official video)',
  'A title that is far too long to fit beside its thumbnail',
].map((title, index) => ({ id: `video-${index}`, title, thumbnail, channelTitle: 'Lanterns' }))
const quota = { used: 37, limit: 100, resetsAt: Date.UTC(2026, 10, 23, 8) }
const failure = { success: false, error: 'Invalid API key', status: 400, details: 'API key not valid.' }

/** Answers the calls about providers as a server does whose providers have much to say. */
async function answerProviders(page: Page, isHealthy: boolean): Promise<void> {
  const spotify = {
    isConnected: isHealthy,
    displayName: 'Olivia Moreno',
    authorizedAt: Date.UTC(2026, 5, 10),
    expiresSoon: isHealthy,
    mustReconnect: !isHealthy,
  }
  const youtube = {
    isConnected: isHealthy,
    hasOwnKey: false,
    hasServerKey: isHealthy,
    quota: isHealthy ? quota : null,
  }
  const result = isHealthy ? { success: true, results } : failure
  await page.route('**/api/spotify', (route) => route.fulfill({ json: { connection: spotify } }))
  await page.route('**/api/youtube', (route) => route.fulfill({ json: { connection: youtube } }))
  await page.route('**/api/youtube/connect', (route) => route.fulfill({ json: { result } }))
}

test('2.5, 2.31b, 2.32, 2.34, 8.11c, 8.13 the profile is shown, edited and kept', async ({ owner, app }) => {
  const { page } = owner
  await createRoom(app, owner.context, { name: 'Counted' })
  await page.goto('/')
  await page.getByRole('link', { name: 'My Profile' }).click()
  const account = region(page, 'Your Account')
  await expect(account.getByText(owner.email)).toBeVisible()
  const stats = region(page, 'Your Stats')
  await expect(stats.getByText('0h 0m')).toBeVisible()
  await expect(stats.getByText('1', { exact: true })).toBeVisible()
  await account.getByRole('button', { name: 'Edit your display name' }).click()
  await account.getByLabel('Display Name').fill('Olivia M.')
  await account.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated')).toBeVisible()
  await region(page, 'Music Preferences').getByText('YouTube').click()
  await expect(page.getByText('Default music source set to YouTube')).toBeVisible()
  await page.getByRole('switch', { name: 'Offer tracks I cannot play in another source' }).check()
  // The switch shows the choice before it is saved, and a reload cancels the call.
  await expect(page.getByText('Tracks that you cannot play are offered in another source')).toBeVisible()
  await page.reload()
  await expect(account.getByText('Olivia M.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account of Olivia M.' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /YouTube/ })).toBeChecked()
  await expect(page.getByRole('switch')).toBeChecked()
})

test('2.31a signed out, the profile leads to login with a message', { tag: '@long' }, async ({ page }) => {
  await page.goto('/profile')
  await expect(page.getByText('Please sign in to view your profile')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('2.2 explore lists the public rooms of the server', { tag: '@long' }, async ({ page, room }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Explore Rooms' }).click()
  await expect(page.getByRole('heading', { name: 'Explore Rooms' })).toBeVisible()
  await expect(page.getByRole('heading', { name: room.name })).toBeVisible()
})

test('2.39b a page of the server shows no environment notice', { tag: '@long' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await expect(page.getByRole('complementary')).toHaveCount(0)
  expect(asked).not.toContain('/api/config')
})

for (const [width, height] of [
  [1_280, 900],
  [390, 844],
] as const) {
  const tag = width > 1_000 ? '@long' : []
  test(
    `17.159 while the parts of the profile arrive one after the other, nothing moves: ${width} px`,
    { tag },
    async ({ owner: { page } }) => {
      await page.setViewportSize({ width, height })
      const parts = [
        [/\/api\/profile$/, () => page.getByRole('button', { name: 'Edit your display name' })],
        [/\/api\/profile\/stats$/, () => page.getByText('Rooms Created')],
        [/\/api\/spotify$/, () => region(page, 'Spotify').getByText('Not Connected')],
        [/\/api\/youtube$/, () => region(page, 'YouTube').getByLabel('Your own API key')],
        [/\/api\/sources$/, () => page.getByRole('radio', { name: /Library/ })],
      ] as const
      const gates = parts.map(() => Promise.withResolvers<void>())
      for (const [index, [call]] of parts.entries()) {
        await page.route(call, async (route) => {
          await gates[index]?.promise
          await route.continue()
        })
      }
      await page.goto('/profile')
      await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
      for (const [index, [, shown]] of parts.entries()) {
        gates[index]?.resolve()
        await expect(shown().first()).toBeAttached()
      }
      await expect(region(page, 'Spotify').getByText('Spotify is not set up on this server.')).toBeAttached()
      await expect(region(page, 'Music Preferences')).toBeAttached()
      expect(await readLayoutShift(page)).toBeLessThan(0.02)
    },
  )
}

/** Every page around accounts in a state with much on it. */
const screens = [
  {
    name: 'profile',
    open: async (page: Page) => {
      await answerProviders(page, true)
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Test Connection' }).click()
      await expect(page.getByText('Verified with sample results:')).toBeVisible()
      await page.getByRole('button', { name: 'Edit your display name' }).click()
    },
  },
  {
    name: 'profile with failures',
    open: async (page: Page) => {
      await answerProviders(page, false)
      await page.goto('/profile')
      await page.getByLabel('Your own API key').fill('a-key')
      await region(page, 'YouTube').getByRole('button', { name: 'Connect', exact: true }).click()
      await expect(page.getByText('Connection Error:')).toBeVisible()
    },
  },
  { name: 'callback', open: (page: Page) => page.goto('/callback?error=access_denied') },
  { name: 'explore', open: (page: Page) => page.goto('/explore') },
  {
    name: 'spotify-test',
    open: async (page: Page) => {
      await page.goto('/spotify-test')
      await page.getByLabel('Client ID').fill('abc')
      await page.getByRole('button', { name: 'Generate Auth URL' }).click()
    },
  },
]

test('the pages around accounts have no accessibility violations, in dark and in light mode', async ({
  owner: { page },
}) => {
  for (const { name, open } of screens) {
    await open(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([name, width, Math.max(0, overflow)]).toEqual([name, width, 0])
    }
    // Their parts are the same on a wide screen, but for the top bar, which other screens are checked with.
    expect(await findProblems(page)).toEqual([])
  }
})

test('17.445 a picture is chosen, shown to the others, and removed', async ({ owner, listener, room }) => {
  await listener.page.goto(room.path)
  await owner.page.goto(room.path)
  const face = listener.page.locator('img[src^="/api/pictures/"]').filter({ visible: true })
  await expect((await openMembers(listener.page)).getByText('2 online')).toBeVisible()
  await expect(face).toHaveCount(0)
  const { page } = owner
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  const account = region(page, 'Your Account')
  const chooser = page.waitForEvent('filechooser')
  await account.getByRole('button', { name: 'Change Picture' }).click()
  await (await chooser).setFiles(join(import.meta.dirname, '../../docs/pictures/room.png'))
  await expect(page.getByText('Profile updated')).toBeVisible()
  const own = page.locator('img[src^="/api/pictures/"]')
  // In the profile and in the top bar.
  await expect(own).toHaveCount(2)
  const size = await own.first().evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })
  expect(size).toEqual([192, 192])
  await expect(face.first()).toBeVisible()
  await account.getByRole('button', { name: 'Remove Picture' }).click()
  await expect(own).toHaveCount(0)
  await expect(face).toHaveCount(0)
  const again = page.waitForEvent('filechooser')
  await account.getByRole('button', { name: 'Change Picture' }).click()
  await (await again).setFiles(join(import.meta.dirname, '../package.json'))
  await expect(page.getByText('This picture cannot be read')).toBeVisible()
  await expect(own).toHaveCount(0)
})
