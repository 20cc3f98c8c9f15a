import { createServer, type Server } from 'node:http'
import { expect, test as base, type Frame, type Page } from '@playwright/test'
import type { PlayerBehaviour } from '@earshot/provider-doubles/youtube/player/behaviour'
import type {} from '@earshot/provider-doubles/youtube/player/embed-page'
import { toPrefixedId } from '@earshot/provider-doubles/youtube/prefixed-ids'
import { startYoutubeDouble, type YoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import { openBrowser } from '../support/browser.ts'

/** The player of the YouTube double, used through its published interface from a page of another origin. */

declare global {
  var createPlayer: (videoId: string, playerVars: YT.PlayerVars) => Promise<void>
  var player: YT.Player
  var seen: string[]
}

const pageScript = `
globalThis.seen = []
globalThis.createPlayer = async (videoId, playerVars) => {
  await new Promise((resolve) => YT.ready(resolve))
  const log = (name) => (event) => seen.push(event.data === null ? name : name + ' ' + event.data)
  await new Promise((resolve) => {
    const events = { onReady: resolve }
    for (const name of ['StateChange', 'Error', 'PlaybackRateChange', 'AutoplayBlocked']) events['on' + name] = log(name)
    globalThis.player = new YT.Player('player', { videoId, playerVars, events })
  })
}`

interface Site {
  double: YoutubeDouble
  url: string
}

async function startPage(double: YoutubeDouble): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const policy = new URL(request.url ?? '/', 'http://page').searchParams.get('policy')
    response.writeHead(200, {
      'content-type': 'text/html',
      'referrer-policy': policy ?? 'strict-origin-when-cross-origin',
    })
    response.end(
      `<button>Click</button><div id="player"></div><script>${pageScript}</script><script src="${double.playerUrl}"></script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  return { server, url: `http://localhost:${typeof address === 'object' ? address?.port : ''}/` }
}

const test = base.extend<object, { site: Site }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies from the pattern.
    async ({}, provide) => {
      const double = await startYoutubeDouble()
      const { server, url } = await startPage(double)
      await provide({ double, url })
      server.close()
      await double.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ page, site }, provide) => {
    await page.goto(site.url)
    await provide(page)
  },
})

const frameOf = (page: Page): Frame => {
  const frame = page.frames().find((candidate) => candidate.url().includes('/embed/'))
  if (!frame) throw new Error('There is no player')
  return frame
}

const openVideo = (page: Page, videoId: string, playerVars: YT.PlayerVars = {}) =>
  page.evaluate(([id, vars]) => createPlayer(id, vars), [videoId, playerVars] as const)
const events = (page: Page) => page.evaluate(() => seen)
const stateIs = (page: Page, state: number) =>
  page.waitForFunction((expected) => player.getPlayerState() === expected, state)
const play = async (page: Page) => {
  await page.evaluate(() => player.playVideo())
  await stateIs(page, 1)
}

/** By how many seconds the position moves in a time. */
const advance = (page: Page, ms: number) =>
  page.evaluate(async (wait) => {
    const [from, at] = [player.getCurrentTime(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, wait))
    return (player.getCurrentTime() - from) / ((performance.now() - at) / 1_000)
  }, ms)

test('cues, plays, seeks, pauses and ends, with the documented states', async ({ page }) => {
  const video = toPrefixedId('SHORT_')
  await openVideo(page, video)
  expect(await page.evaluate(() => [player.getPlayerState(), player.getDuration()])).toEqual([5, 0])
  await play(page)
  // A device takes its time to start, which a busy machine prolongs.
  await page.waitForTimeout(500)
  expect(Math.abs((await advance(page, 1_000)) - 1)).toBeLessThan(0.1)
  expect(await page.evaluate(() => [player.getDuration(), player.getVideoData().video_id])).toEqual([
    8,
    video,
  ])
  expect(await frameOf(page).evaluate(() => youtubeDouble.isSounding())).toBe(true)
  await page.evaluate(() => player.seekTo(5, true))
  // Its state is still that of before at first.
  await expect.poll(async () => (await events(page)).length).toBe(4)
  await page.evaluate(() => player.pauseVideo())
  await stateIs(page, 2)
  expect(await page.evaluate(() => player.getCurrentTime())).toBeCloseTo(5, 0)
  await page.evaluate(() => player.seekTo(7.8, true))
  await play(page)
  await stateIs(page, 0)
  expect(await events(page)).toEqual([3, 1, 3, 1, 2, 3, 1, 0].map((state) => `StateChange ${state}`))
})

test('is a frame of another origin, whose methods appear with onReady', async ({ page, site }) => {
  const before = await page.evaluate(async (id) => {
    const opening = createPlayer(id, {})
    while (!('player' in globalThis)) await new Promise((resolve) => setTimeout(resolve))
    const isEarly = 'playVideo' in player
    await opening
    return isEarly
  }, toPrefixedId('OK_'))
  expect(before).toBe(false)
  expect(new URL(frameOf(page).url()).origin).toBe(new URL(site.double.playerUrl).origin)
  expect(new URL(site.url).origin).not.toBe(new URL(site.double.playerUrl).origin)
  await page.evaluate(() => player.destroy())
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await page.locator('div#player').count()).toBe(1)
})

test('loading another video resets the rate, and getters know nothing until the frame answers', async ({
  page,
}) => {
  await openVideo(page, toPrefixedId('OK_'))
  await play(page)
  await page.evaluate(() => player.setPlaybackRate(1.5))
  await page.waitForFunction(() => player.getPlaybackRate() === 1.5)
  const unknown = await page.evaluate(
    (id) => {
      player.loadVideoById(id, 20)
      return [player.getCurrentTime(), player.getPlayerState()]
    },
    toPrefixedId('OK_', 2),
  )
  expect(unknown).toEqual([undefined, undefined])
  await stateIs(page, 1)
  expect(await page.evaluate(() => [player.getPlaybackRate(), player.getVideoData().video_id])).toEqual([
    1,
    toPrefixedId('OK_', 2),
  ])
  expect(await page.evaluate(() => player.getCurrentTime())).toBeGreaterThan(19.9)
  expect(await events(page)).toContain('PlaybackRateChange 1')
})

for (const { id, reads, runs } of [
  { id: toPrefixedId('OK_'), reads: 1.15, runs: 1.15 },
  { id: toPrefixedId('COARSE_'), reads: 1, runs: 1 },
  { id: toPrefixedId('FAKE_'), reads: 1.15, runs: 1 },
]) {
  test(`${id}: a rate of 1.17 reads back as ${reads} and runs at ${runs}`, async ({ page }) => {
    await openVideo(page, id)
    await page.evaluate(() => player.setPlaybackRate(1.17))
    await play(page)
    expect(await page.evaluate(() => player.getPlaybackRate())).toBe(1)
    await page.evaluate(() => player.setPlaybackRate(1.17))
    await page.waitForTimeout(400)
    expect(await page.evaluate(() => player.getPlaybackRate())).toBe(reads)
    const media = () => frameOf(page).evaluate(() => [youtubeDouble.player.currentTime, performance.now()])
    const [from = 0, fromAt = 0] = await media()
    await page.waitForTimeout(1_500)
    const [to = 0, toAt = 0] = await media()
    expect((to - from) / ((toAt - fromAt) / 1_000)).toBeCloseTo(runs, 1)
  })
}

test('reports errors, 153 where the page sends no referrer', async ({ page, site }) => {
  for (const [id, code] of [
    [toPrefixedId('E101_'), 101],
    ['no_embed_01', 150],
    ['unknown_001', 100],
  ] as const) {
    await page.goto(site.url)
    await openVideo(page, id)
    await expect.poll(() => events(page)).toEqual([`Error ${code}`])
  }
  await page.evaluate(() => player.loadVideoById('bad'))
  await expect.poll(() => events(page)).toContain('Error 2')
  await page.goto(`${site.url}?policy=no-referrer`)
  await openVideo(page, toPrefixedId('OK_'))
  await expect.poll(() => events(page)).toEqual(['Error 153'])
})

test('plays an ad as state 1 without an event; commands during it hit the ad', async ({ page }) => {
  await openVideo(page, toPrefixedId('OK_'))
  await play(page)
  await frameOf(page).evaluate(() => youtubeDouble.playAd({ durationMs: 1_500 }))
  await page.evaluate(() => player.seekTo(60, true))
  await page.waitForTimeout(300)
  expect(await advance(page, 600)).toBeLessThan(0.4)
  expect(await page.evaluate(() => player.getPlayerState())).toBe(1)
  await page.waitForTimeout(1_000)
  expect(await advance(page, 1_000)).toBeCloseTo(1, 0)
  expect(await page.evaluate(() => player.getCurrentTime())).toBeLessThan(10)
  expect(await events(page)).toEqual(['StateChange 3', 'StateChange 1'])
})

test('stalls while it says it plays, and until a seek', async ({ page, site }) => {
  const behaviour: Partial<PlayerBehaviour> = { stall: { atMs: 300, forMs: 60_000, state: 'playing' } }
  await fetch(new URL(`/control/behaviour/${toPrefixedId('OK_', 7)}`, site.double.playerUrl), {
    method: 'PUT',
    body: JSON.stringify(behaviour),
  })
  await openVideo(page, toPrefixedId('OK_', 7))
  await play(page)
  await page.waitForTimeout(900)
  expect(await page.evaluate(() => player.getPlayerState())).toBe(1)
  expect(await frameOf(page).evaluate(() => youtubeDouble.isSounding())).toBe(false)
  await page.evaluate(() => player.seekTo(30, true))
  await expect.poll(() => frameOf(page).evaluate(() => youtubeDouble.isSounding())).toBe(true)
})

test('reports that sound needs a gesture, and plays muted', async ({ page }) => {
  await page.evaluate(() => {
    // Evaluating in a page counts as a gesture, which this test is about.
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })
  })
  await openVideo(page, toPrefixedId('BLOCK_'))
  await page.evaluate(() => player.playVideo())
  await expect.poll(() => events(page)).toContain('AutoplayBlocked')
  await page.evaluate(() => {
    player.mute()
    player.playVideo()
  })
  await stateIs(page, 1)
})

test("obeys the browser's own autoplay policy until the page is clicked", async ({ site }) => {
  const browser = await openBrowser({ mayAutoplay: false })
  const { page } = browser
  const blocked = page.waitForEvent('console', (message) => message.text() === 'blocked')
  await page.addInitScript((id) => {
    addEventListener('load', () => {
      void createPlayer(id, {}).then(() => {
        player.addEventListener('onAutoplayBlocked', () => console.log('blocked'))
        player.addEventListener('onStateChange', ({ data }) => console.log(`state ${data}`))
        player.playVideo()
      })
      document.querySelector('button')?.addEventListener('click', () => player.playVideo())
    })
  }, toPrefixedId('OK_'))
  await page.goto(site.url)
  await blocked
  const playing = page.waitForEvent('console', (message) => message.text() === 'state 1')
  await page.getByRole('button').click()
  await playing
  await browser.close()
})
