import type { BrowserContext } from '@playwright/test'
import { openBrowser } from '../browser.ts'
import { noteFirstSound, waitForSound } from '../first-sound.ts'
import { expect, hideSplash, test } from '../fixtures.ts'
import { nowPlaying, openRoom, press } from '../room-page.ts'
import { addTracks } from '../rooms.ts'

/** Opens a room as who was there before, with the one tap that the browser may require. Resolves as `waitForSound`. */
async function returnToRoom(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage()
  await noteFirstSound(page)
  await page.goto(address)
  const sound = waitForSound(page)
  const tap = nowPlaying(page).getByRole('button', { name: 'Tap to listen' }).click()
  await Promise.race([tap, sound])
  const soundMs = await sound
  await page.close()
  await tap.catch(() => undefined)
  return soundMs
}

test('17.18a, 17.18e a stranger with a link hears the room in 15 s and 2 clicks, a returning guest in 2 s and one', async ({
  app,
  owner,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Neon Harbour'])
  await press(owner.page, 'Play')
  const headers = { origin: app.url }
  const answer = await owner.context.request.post(`${app.url}/api/rooms/${room.id}/invites`, { headers })
  const { token } = (await answer.json()) as { token: string }

  const stranger = await openBrowser({ mayAutoplay: false })
  try {
    await hideSplash(stranger.context)
    const { page } = stranger
    await noteFirstSound(page)
    await page.goto(`${app.url}${room.path}#invite=${token}`)
    const scene = page.getByRole('heading', { name: `olivia is playing Neon Harbour in ${room.name}` })
    await expect(scene).toBeVisible()
    await expect(page).toHaveTitle(`${room.name} · Earshot`)
    await page.getByLabel('Your name').click()
    await page.keyboard.type('Gus')
    await page.getByRole('button', { name: 'Listen' }).click()
    expect(await waitForSound(page)).toBeLessThan(15_000)
    await expect(page.getByRole('button', { name: 'Tap to listen' })).toHaveCount(0)
    await expect(owner.page.getByText('Gus').first()).toBeAttached()

    await page.close()

    const returnAfterMs = () => returnToRoom(stranger.context, app.url + room.path)
    // Repeated, because a busy machine delays any page.
    await expect.poll(returnAfterMs, { timeout: 60_000, intervals: [0] }).toBeLessThan(2_000)
  } finally {
    await stranger.close()
  }
})
