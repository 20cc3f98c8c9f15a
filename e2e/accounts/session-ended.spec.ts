import type { BrowserContext, Page } from '@playwright/test'
import { makeAccount, signUp } from '../support/accounts.ts'
import type { App } from '../support/app.ts'
import { contextOptions } from '../support/browser.ts'
import { expect, hideSplash, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press, region, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

declare global {
  interface Window {
    /** The pieces of sound that the page has scheduled. */
    soundsStarted: number
  }
}

const countSounds = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Start = (this: AudioBufferSourceNode, ...args: number[]) => void
    const start = Reflect.get(AudioBufferSourceNode.prototype, 'start') as Start
    window.soundsStarted = 0
    AudioBufferSourceNode.prototype.start = function (...args: number[]) {
      window.soundsStarted += 1
      start.call(this, ...args)
    }
  })

/** Signs in to an account on another device, and signs out everywhere else there. */
async function signOutElsewhere(
  app: App,
  device: BrowserContext,
  { email, password }: { email: string; password: string },
) {
  const headers = { origin: app.publicUrl }
  const url = `${app.publicUrl}/api/auth`
  const signedIn = await device.request.post(`${url}/sign-in/email`, { headers, data: { email, password } })
  expect(signedIn.ok()).toBe(true)
  const signedOut = await device.request.post(`${url}/revoke-other-sessions`, { headers, data: {} })
  expect(signedOut.ok()).toBe(true)
}

test('17.187 a session that was ended elsewhere stops the music, and the room says why and how to come back', async ({
  app,
  browser,
  owner,
  room,
}) => {
  const account = makeAccount('mara')
  const [context, phone] = [
    await browser.newContext(contextOptions),
    await browser.newContext(contextOptions),
  ]
  await hideSplash(context)
  await signUp(app, context, account)
  const page = await context.newPage()
  await countSounds(page)
  await openRoom(owner.page, app.url, room.id)
  // Several times: on a busy machine the test outlasts a track.
  await addTracks(app, owner.context, room.id, Array<string>(4).fill('Neon Harbour'))
  await press(owner.page, 'Play')
  const readSounds = () => page.evaluate(() => window.soundsStarted)

  // On the room's own page: its door says it, and leads back.
  await page.goto(app.publicUrl + room.path)
  await waitUntilInSync(page)
  await expect.poll(readSounds).toBeGreaterThan(0)
  await signOutElsewhere(app, phone, account)
  await expect(
    page.getByRole('alert').getByText(/^Your session has ended, so the music stopped/),
  ).toBeVisible()
  await expect(nowPlaying(page)).toHaveCount(0)
  await expect(page.getByText('You have been signed out successfully')).toHaveCount(0)
  const before = await readSounds()
  await page.waitForTimeout(1_000)
  expect(await readSounds()).toBe(before)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
  await waitUntilInSync(page)

  // On another page: the player bar goes, and a notice says why.
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(region(page, 'Mini player')).toBeVisible()
  await signOutElsewhere(app, phone, account)
  await expect(page.getByText('Your session has ended', { exact: true })).toBeVisible()
  await expect(region(page, 'Mini player')).toHaveCount(0)
  await context.close()
  await phone.close()
})
