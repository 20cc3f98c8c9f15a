import { expect, test } from '../support/fixtures.ts'
import { interposeEvents } from '../support/page-events.ts'
import { addFirstTracks, leaveRoom, nowPlaying, openTab, press, region } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

test('2.21, 9.24, 9.25, 17.1a, 17.1b a room fits the screen, and nothing long widens it', async ({
  app,
  owner,
}) => {
  const { page } = owner
  const name = `Room ${'W'.repeat(75)}`
  const id = await createRoom(app, owner.context, { name })
  const find = page.getByRole('searchbox', { name: 'Search for music' })
  const message = page.getByRole('textbox', { name: 'Message' })
  const play = nowPlaying(page).getByRole('button', { name: /^(Play|Pause)$/ })
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return { x: scrollWidth - innerWidth, y: scrollHeight - innerHeight }
    })
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`/room/${id}`)
  await addFirstTracks(page, 2)
  // What moves along the seek bar is as wide as the bar.
  await nowPlaying(page).getByRole('slider', { name: 'Position' }).fill('60000')
  for (const [width, height] of [
    [1366, 768],
    [1024, 768],
    [2560, 1440],
    [844, 390],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect.poll(overflow).toEqual({ x: 0, y: 0 })
    await expect(play).toBeInViewport({ ratio: 1 })
    for (const [tab, field] of [
      ['Find Music', find],
      ['Chat', message],
    ] as const) {
      await openTab(page, tab)
      await expect(field).toBeInViewport({ ratio: 1 })
    }
  }
  await openTab(page, 'Queue')
  const item = region(page, 'Queue').getByRole('listitem').first()
  const artwork = item.locator('img, [data-artwork]').first()
  await expect.poll(async () => (await artwork.boundingBox())?.width).toBe(40)
  const stageCover = nowPlaying(page).getByRole('img', { name: /^Cover of/ })
  await page.setViewportSize({ width: 1366, height: 768 })
  await expect.poll(async () => (await stageCover.boundingBox())?.height).toBeCloseTo(0.52 * 768, 0)
  for (const width of [390, 820]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(async () => (await overflow()).x).toBeLessThanOrEqual(0)
    await expect(play).toBeInViewport({ ratio: 1 })
    await openTab(page, 'Chat')
    await expect(message).toBeInViewport({ ratio: 1 })
  }
})

test('17.2a, 17.3a, 17.3b the sound and a player bar stay on other pages, until the room is left', async ({
  owner: { page },
  room,
}) => {
  await page.goto(room.path)
  await addFirstTracks(page, 1)
  await openTab(page, 'Chat')
  await page.getByRole('textbox', { name: 'Message' }).fill('half a thought')
  await press(page, 'Play')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  const bar = region(page, 'Mini player')
  await expect(page.getByRole('region', { name: 'Available Rooms' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Explore Rooms' }).first().click()
  await bar.getByRole('button', { name: 'Pause', exact: true }).click()
  await bar.getByRole('link', { name: new RegExp(room.name) }).click()
  await expect(nowPlaying(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought')
  await leaveRoom(page)
  await expect(page).toHaveURL(/\/$/)
  await expect(bar).toBeHidden()

  await page.goto(room.path)
  await expect(nowPlaying(page)).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(bar).toBeHidden()
})

test('17.5, 17.403 the listen mode shows track, time, next, people and their reactions; Escape ends it', async ({
  owner: { page },
  room,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const sendEvent = await interposeEvents(page)
  await page.goto(room.path)
  await addFirstTracks(page, 2)
  await page.keyboard.press('f')
  const mode = page.locator('[data-listen-mode]')
  await expect(mode.getByText('0:00 /')).toBeVisible()
  await expect(mode.getByText(/^Next: /)).toBeVisible()
  await expect(mode.getByText('1 member')).toBeVisible()
  await expect(mode.getByText('o', { exact: true })).toBeVisible()
  // The page shows none that is a second late: then it is sent once more.
  await expect(async () => {
    const rising = mode.locator('[data-reaction]').waitFor({ state: 'attached', timeout: 6_000 })
    sendEvent('reactions', { roomId: room.id, at: Date.now() + 1_500, items: [{ kind: 'love', count: 1 }] })
    await rising
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(mode).toBeHidden()
})
