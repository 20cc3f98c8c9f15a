import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { leaveRoom, nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom, readPlayback } from '../support/rooms.ts'

test.beforeEach(async ({ app, owner, room }) => {
  await openRoom(owner.page, app.url, room.id)
  // Several times: on a busy machine a test outlasts a track.
  await addTracks(app, owner.context, room.id, Array<string>(4).fill('Neon Harbour'))
})

test('12.23a, 12.23b, 17.102 a listener pauses the own sound and jumps back in, while the room plays on', async ({
  app,
  owner,
  listener: { page },
  room,
}) => {
  await openRoom(page, app.url, room.id)
  // No earlier: the track lasts until the end of the test.
  await press(owner.page, 'Play')
  await waitUntilInSync(page)
  const before = await readPlayback(app, room.id)

  await press(page, 'Pause here')
  const notice = nowPlaying(page).getByText('Paused on this device')
  await expect(notice).toBeVisible()
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(notice).toBeInViewport({ ratio: 1 })
  await expect(nowPlaying(page).getByRole('button', { name: 'Your sync: Paused' })).toBeVisible()
  await expect(nowPlaying(owner.page).getByText(/^In sync/)).toBeVisible()
  await nowPlaying(page).getByText('Play here').click()
  await expect(nowPlaying(page).getByText('Paused on this device')).toBeHidden()
  await waitUntilInSync(page)
  const after = await readPlayback(app, room.id)
  const startOf = ({ timestamp, current_position }: typeof before) => timestamp - current_position
  // On a busy machine the track may have ended meanwhile, and the next one plays.
  const hasEnded = startOf(after) - startOf(before) > 80_000
  expect(after).toEqual(hasEnded ? { ...after, is_playing: true } : before)
})

test(
  '12.24a of two tabs of a listener one sounds, and the other offers to',
  { tag: '@long' },
  async ({ app, owner: { page: first, context }, room }) => {
    await press(first, 'Play')
    await waitUntilInSync(first)
    const second = await context.newPage()
    await openRoom(second, app.url, room.id)
    await waitUntilInSync(second)
    await expect(nowPlaying(first).getByText('Playing in another tab')).toBeVisible()

    await nowPlaying(first).getByText('Play here').click()
    await waitUntilInSync(first)
    await expect(nowPlaying(second).getByText('Playing in another tab')).toBeVisible()
  },
)

const departures = [
  // By the button: a tab in which another page is loaded goes on with the visit (17.453).
  ['17.235', 'leaves the room', leaveRoom],
  // As a browser closes a tab, with the page's own listeners.
  ['17.235', 'is closed', (tab: Page) => tab.close({ runBeforeUnload: true })],
  ['17.427', 'crashes', (tab: Page) => tab.goto('chrome://crash').catch(() => undefined)],
] as const

for (const [rule, departure, depart] of departures) {
  // The test of two rooms closes the other tab too.
  const tag = departure === 'is closed' ? '@long' : []
  test(
    `${rule} where the tab that sounds ${departure}, another tab of the listener sounds`,
    { tag },
    async ({ app, owner: { page: first, context }, room }) => {
      await press(first, 'Play')
      const second = await context.newPage()
      await openRoom(second, app.url, room.id)
      const silence = nowPlaying(first).getByText('Playing in another tab')
      await expect(silence).toBeVisible()
      // A browser that closes a tab ends it after half a second, also if its page is too busy to say so.
      await waitUntilInSync(second)

      await depart(second)
      await expect(silence).toBeHidden()
      await waitUntilInSync(first)
    },
  )
}

test('17.426 of two tabs of a listener in two rooms one sounds', async ({
  app,
  owner: { page: first, context },
}) => {
  await press(first, 'Play')
  await waitUntilInSync(first)
  const second = await context.newPage()
  await openRoom(second, app.url, await createRoom(app, context, { name: 'Attic' }))
  await expect(nowPlaying(first).getByText('Playing in another tab')).toBeVisible()
  await second.close({ runBeforeUnload: true })
  await waitUntilInSync(first)
})
