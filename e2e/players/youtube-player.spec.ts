import { expect, type Locator, type Page } from '@playwright/test'
import { holdNotices, nowPlaying, openRoom, press, region, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { youtubeTest as test } from './provider-fixtures.ts'
import { addVideo, expectOnTimeline, readMedia } from './youtube-room.ts'

/** 0 of an element that is not drawn. */
const bottomOf = (element: Locator): Promise<number> =>
  element.evaluate((each) => each.getBoundingClientRect().bottom)

// In one worker: each starts a server.
test.describe.configure({ mode: 'default' })

test('2.22b, 17.393 a video plays in one visible, uncovered player, in sync, for the owner and a late joiner', async ({
  app,
  owner,
  listener,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addVideo(app, owner, room.id, 'harbour0001')
  const frame = owner.page.locator('iframe[src="/players/youtube"]')
  await expect(frame).toHaveCount(1)
  await press(owner.page, 'Play')
  await expectOnTimeline(app, room.id, owner.page)
  await waitUntilInSync(owner.page)

  await openRoom(listener.page, app.url, room.id)
  await expectOnTimeline(app, room.id, listener.page)
  const line = owner.page.locator('#stage p[aria-hidden]')
  await expect(line).toContainText('liam')
  for (const [width, height] of [
    [1280, 720],
    [844, 390],
    [640, 400],
  ] as const) {
    await owner.page.setViewportSize({ width, height })
    const overlap = async () => (await bottomOf(line)) - ((await frame.boundingBox())?.y ?? 0)
    await expect.poll(overlap, `17.393 at ${width} px`).toBeLessThanOrEqual(0)
  }

  await press(owner.page, 'Pause')
  for (const { page } of [owner, listener]) {
    await expect.poll(async () => (await readMedia(page))?.isPaused).toBe(true)
  }
})

test(
  '4.23a, 4.23b a seek and a change of tracks keep both pages together',
  { tag: '@long' },
  async ({ app, owner, listener, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, 'harbour0001')
    await addVideo(app, owner, room.id, 'harbour0002')
    await openRoom(listener.page, app.url, room.id)
    await press(owner.page, 'Play')
    await expectOnTimeline(app, room.id, listener.page)
    await nowPlaying(owner.page).getByRole('slider', { name: 'Position' }).fill('100000')
    await expect.poll(async () => (await readMedia(listener.page))?.positionMs).toBeGreaterThan(95_000)
    for (const { page } of [owner, listener]) await expectOnTimeline(app, room.id, page)
    await press(owner.page, 'Next track')
    await expect.poll(async () => (await readMedia(listener.page))?.positionMs).toBeLessThan(20_000)
    for (const { page } of [owner, listener]) await expectOnTimeline(app, room.id, page)
  },
)

test(
  '4.23b, 15.19 a video that may not be embedded is skipped with a notice',
  { tag: '@long' },
  async ({ app, owner, listener, room, youtube }) => {
    await openRoom(owner.page, app.url, room.id)
    await openRoom(listener.page, app.url, room.id)
    youtube.control.setBehaviour('harbour0002', { error: 150 })
    const skipped = [owner, listener].map(({ page }) =>
      expect(page.getByText(/plays only on YouTube, so it was skipped/).first()).toBeVisible(),
    )
    const add = async () => {
      await addVideo(app, owner, room.id, 'harbour0002')
      await addVideo(app, owner, room.id, 'harbour0001')
    }
    await Promise.all([...skipped, add()])
    for (const { page } of [owner, listener]) {
      await expect(
        nowPlaying(page).getByRole('heading', { name: 'Harbour Lights (Official Video)' }),
      ).toBeVisible()
    }
    youtube.control.setBehaviour('harbour0002', null)
  },
)

test(
  '4.23b, 8.6 error 153 explains the missing referrer and stays',
  { tag: '@long' },
  async ({ app, owner, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, 'E153_000001')
    await expect(region(owner.page, 'Video').getByText('Error playing video (code: 153)')).toBeVisible()
    await expect(owner.page.getByText('Error code 153. Try refreshing the page.')).toBeVisible()
  },
)

test(
  '8.6 a script that cannot be loaded is retried and explained',
  { tag: '@long' },
  async ({ app, owner, room, youtube }) => {
    await owner.page.route('**/iframe_api*', (route) => route.abort())
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, 'harbour0001')
    await expect(region(owner.page, 'Video').getByText(/^Failed to load video: /)).toBeVisible()
    await owner.page.unroute('**/iframe_api*')
    await press(owner.page, 'Play')
    await expectOnTimeline(app, room.id, owner.page)
    expect(youtube.playerUrl).toContain('/iframe_api')
  },
)

test(
  '15.18 a page that is reloaded, and a switch to the library, keep one sound',
  { tag: '@long' },
  async ({ app, owner, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, 'harbour0001')
    await press(owner.page, 'Play')
    await expectOnTimeline(app, room.id, owner.page)
    await owner.page.reload()
    await expectOnTimeline(app, room.id, owner.page)
    await addTracks(app, owner.context, room.id, ['Glasshouse'])
    await press(owner.page, 'Next track')
    await waitUntilInSync(owner.page)
    await expect(region(owner.page, 'Video')).toBeHidden()
    expect(await readMedia(owner.page)).toBeNull()
  },
)

test('2.22b, 17.102, 17.392 the player is at least 356 x 200 px and uncovered, also by a notice, on a phone too', async ({
  app,
  owner,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addVideo(app, owner, room.id, 'harbour0001')
  await holdNotices(owner.page)
  await press(owner.page, 'Sync')
  const notice = region(owner.page, 'Notifications').getByRole('dialog').first()
  await notice.waitFor()
  const frame = owner.page.locator('iframe[src="/players/youtube"]')
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 1366, height: 768 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 640, height: 400 },
  ]) {
    await owner.page.setViewportSize(viewport)
    await expect(frame).toHaveCount(1)
    await expect.poll(async () => (await frame.boundingBox())?.width).toBeGreaterThanOrEqual(356)
    const box = await frame.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(200)
    const overlap = async () => (await bottomOf(notice)) - ((await frame.boundingBox())?.y ?? 0)
    await expect.poll(overlap, `${viewport.width}`).toBeLessThan(0)
    const covered = await frame.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return [0.02, 0.5, 0.98].flatMap((x) =>
        [0.02, 0.5, 0.98].map(
          (y) => document.elementFromPoint(left + x * width, top + y * height) === element,
        ),
      )
    })
    expect(covered).not.toContain(false)
    expect(await owner.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
})

/** Notes when the first reaction is drawn on a page, and whether one was ever over the player. */
async function watchReactions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const facts = { seenAtMs: 0, wereOver: false }
    Object.assign(globalThis, { reactionFacts: facts })
    const frame = () => document.querySelector('iframe[src="/players/youtube"]')?.getBoundingClientRect()
    const look = () => {
      const drawn = document.querySelector('[data-reaction]')
      const box = drawn?.parentElement?.getBoundingClientRect()
      const video = frame()
      if (drawn && facts.seenAtMs === 0) facts.seenAtMs = performance.timeOrigin + performance.now()
      // Their container cuts them off.
      if (box && video && box.top < video.bottom && box.bottom > video.top) facts.wereOver = true
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

const readReactions = (page: Page) =>
  page.evaluate(
    () => (globalThis as unknown as { reactionFacts: { seenAtMs: number; wereOver: boolean } }).reactionFacts,
  )

/** Frames of a busy machine. */
const sameMomentMs = 250

test(
  '17.58a, 17.58c reactions beside a playing video rise on both pages at the same moment, and not over it',
  { tag: '@long' },
  async ({ app, owner, listener, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addVideo(app, owner, room.id, 'harbour0001')
    await openRoom(listener.page, app.url, room.id)
    await press(owner.page, 'Play')
    for (const { page } of [owner, listener]) {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await expectOnTimeline(app, room.id, page)
      await watchReactions(page)
    }
    await nowPlaying(listener.page).getByRole('button', { name: 'Fire', exact: true }).click()
    for (const { page } of [owner, listener])
      await expect.poll(async () => (await readReactions(page)).seenAtMs).toBeGreaterThan(0)
    const [one, other] = [await readReactions(owner.page), await readReactions(listener.page)]
    expect(Math.abs(one.seenAtMs - other.seenAtMs)).toBeLessThan(sameMomentMs)
    for (const { page } of [owner, listener]) {
      await expect(page.locator('[data-reaction]')).toHaveCount(0)
      expect((await readReactions(page)).wereOver).toBe(false)
      await expectOnTimeline(app, room.id, page)
    }
  },
)
