import type { Browser, BrowserContext, Page } from '@playwright/test'
import { makeAccount, signUpByForm } from '../support/accounts.ts'
import { hideSplash } from '../support/fixtures.ts'
import { nowPlaying, openMembers, openTab, press, region, waitUntilInSync } from '../support/room-page.ts'
import { expect, expectInSync, test } from './fixtures.ts'
import type { Recorder } from './recording/recorder.ts'

// The product's main job as two people do it. Each test continues where the previous one left the room.
test.describe.configure({ mode: 'serial' })

let recorder: Recorder
let owner: { page: Page; context: BrowserContext }
let listener: { page: Page; context: BrowserContext }

test.beforeAll(async ({ browsers, recorder: shared }) => {
  recorder = shared
  ;[owner, listener] = await Promise.all([openVisitor(browsers[0]), openVisitor(browsers[1])])
})
test.afterAll(() => Promise.all([owner.context.close(), listener.context.close()]))

async function openVisitor(browser: Browser) {
  const context = await browser.newContext()
  await hideSplash(context)
  return { context, page: await context.newPage() }
}

/** Expects silence, once the audio that was already buffered has faded. */
async function expectSilence(): Promise<void> {
  await expect(async () => {
    const recording = await recorder.record(1_200)
    expect(recording.loudness(0, 700)).toBeLessThan(0.001)
    expect(recording.loudness(1, 700)).toBeLessThan(0.001)
  }).toPass({ timeout: 6_000 })
}

/** Waits until the listener's page shows a position near the start of a track, where it moves on from 0:00. */
async function waitUntilStarted(): Promise<void> {
  await expect(nowPlaying(listener.page).getByText(/^0:(0[1-9]|1\d)$/)).toBeVisible()
}

test('1.2a, 4.11a, 4.12, 4.15, 4.13b two people hear the same track at the same time, whatever the owner does', async ({
  app,
}) => {
  test.setTimeout(240_000)
  const signUp = async (page: Page, name: string) => {
    await signUpByForm(page, app, makeAccount(name))
    await expect(page.getByText('Registration successful')).toBeVisible()
  }
  await Promise.all([signUp(owner.page, 'anna'), signUp(listener.page, 'ben')])

  await owner.page.goto(`${app.url}/create-room`)
  await owner.page.getByPlaceholder('My Awesome Music Room').fill('Sunday Session')
  await owner.page.getByRole('button', { name: 'Create Room' }).click()
  await expect(owner.page.getByRole('heading', { name: 'Sunday Session' })).toBeVisible()

  await listener.page.goto(app.url)
  const card = region(listener.page, 'Available Rooms')
    .getByRole('listitem')
    .filter({ hasText: 'Sunday Session' })
  await card.getByRole('button', { name: /Join Room/ }).click()
  await expect((await openMembers(listener.page)).getByText('2 online')).toBeVisible()
  await listener.page.keyboard.press('Escape')

  await openTab(owner.page, 'Find Music')
  const find = region(owner.page, 'Find Music')
  for (const title of ['Alpha', 'Beta', 'Gamma', 'Omega']) {
    await find.getByPlaceholder('Search for music...').fill(title)
    await find.getByPlaceholder('Search for music...').press('Enter')
    await find.getByRole('button', { name: `Add ${title} to the queue` }).click()
    await expect(owner.page.getByText(`"${title}" added to queue`)).toBeVisible()
  }
  await openTab(listener.page, 'Queue')
  await expect(region(listener.page, 'Queue').getByRole('listitem')).toHaveCount(3)
  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Alpha' })).toBeVisible()

  await test.step('17.25 the first track plays without a press', async () => {
    await waitUntilInSync(listener.page)
    await expectInSync(recorder)
  })
  await test.step('pause', async () => {
    await press(owner.page, 'Pause')
    await expect(nowPlaying(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    await expectSilence()
    await press(owner.page, 'Play')
    await expect(nowPlaying(listener.page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await expectInSync(recorder)
  })
  await test.step('seek', async () => {
    await nowPlaying(owner.page).getByRole('slider', { name: 'Position' }).focus()
    await owner.page.keyboard.press('PageUp')
    await expect(nowPlaying(listener.page).getByText(/^(0:[345]|[12]:\d)\d$/)).toBeVisible()
    await owner.page.keyboard.press('Home')
    await waitUntilStarted()
    await expectInSync(recorder)
  })
  await test.step('next', async () => {
    await press(owner.page, 'Next track')
    await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Beta' })).toBeVisible()
    await waitUntilStarted()
    await expectInSync(recorder)
  })
  await test.step('chat', async () => {
    await openTab(listener.page, 'Chat')
    await openTab(owner.page, 'Chat')
    await region(listener.page, 'Chat').getByRole('textbox', { name: 'Message' }).fill('sounds right')
    await listener.page.keyboard.press('Enter')
    await expect(region(owner.page, 'Chat').getByText('sounds right')).toBeVisible()
  })
})

test("4.19c, 1.2b a listener who reloads in mid-track continues at the room's position", async () => {
  await listener.page.reload()
  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Beta' })).toBeVisible()
  await waitUntilInSync(listener.page)
  await expectInSync(recorder)
})

test('1.2c, 4.16a the owner leaves, the music goes on and the queue advances by itself', async () => {
  await press(owner.page, 'Next track')
  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Gamma' })).toBeVisible()
  await owner.page.goto('about:blank')
  await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Omega' })).toBeVisible({
    timeout: 60_000,
  })
  await waitUntilStarted()
  // The position is shown before a busy machine sounds.
  await expect.poll(async () => (await recorder.record(1_000)).loudness(1)).toBeGreaterThan(0.01)
  await owner.page.goBack()
  await waitUntilInSync(owner.page)
  await expectInSync(recorder)
  await press(owner.page, 'Pause')
  await expect(nowPlaying(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})
