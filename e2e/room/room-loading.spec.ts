import { expect, test } from '../support/fixtures.ts'
import { nowPlaying } from '../support/room-page.ts'

test("12.7 a room's connection opens while its code loads, and is the only one", async ({
  owner: { page },
  room,
}) => {
  let socketsOpened = 0
  page.on('websocket', () => (socketsOpened += 1))
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/room-page-*.js', async (route) => {
    await code.promise
    // Refused for a page that was left.
    await route.continue().catch(() => undefined)
  })
  // A busy server sends a page without its user, which cannot connect early: then the next page counts.
  await expect(async () => {
    socketsOpened = 0
    await page.goto(room.path, { waitUntil: 'commit' })
    await expect.poll(() => socketsOpened, { timeout: 5_000 }).toBe(1)
  }).toPass()
  await expect(nowPlaying(page)).toBeHidden()
  code.resolve()
  await expect(nowPlaying(page)).toBeVisible()
  expect(socketsOpened).toBe(1)
})

test('12.7 a page that is not the room of a user opens none', async ({ page, owner, room }) => {
  let socketsOpened = 0
  for (const each of [page, owner.page]) each.on('websocket', () => (socketsOpened += 1))
  await page.goto(room.path)
  await expect(page.getByRole('link', { name: 'Create account' })).toBeVisible()
  await owner.page.goto('/')
  await expect(owner.page.getByRole('heading', { name: room.name }).first()).toBeVisible()
  expect(socketsOpened).toBe(0)
})
