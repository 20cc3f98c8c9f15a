import type {} from '../../web/src/players/testing/player-page.ts'
import { expect, test } from '../support/fixtures.ts'
import { openNetworkProxy } from '../support/network-proxy.ts'
import { makeNoiseWav } from '../sound/recording/noise-tracks.ts'

/** As the page states of it. */
const seconds = 100
const file = makeNoiseWav({ seconds, title: 'Noise', seed: 1 })
/** To fetch what is missed takes ten times as long on this line as it was cut off for. */
const bitsPerSecond = (1.1 * 8 * file.length) / seconds
const cutOffMs = 4_000
/** What the output's clock moves in its first seconds, which the follow algorithm corrects. */
const startsWithinMs = 200

declare global {
  var playing: ReturnType<typeof openPlayer> & { startedMs: number }
}

test('17.280 a listener who hardly catches up leaves out what was missed, and hears the track at its time', async ({
  page,
  playerSite,
}) => {
  const proxy = await openNetworkProxy()
  proxy.forwardTo(playerSite.url)
  playerSite.replaceChanging(file)
  await page.goto(proxy.url)
  await page.waitForFunction(() => 'openPlayer' in globalThis)
  // Before it plays: else a test that stalls here leaves it more sound than it is cut off for.
  proxy.setBandwidth(bitsPerSecond)
  await page.evaluate(async () => {
    const opened = openPlayer('library')
    await opened.player.load(opened.track('changing'), 0)
    const startedMs = opened.wallNow() + 500
    globalThis.playing = { ...opened, startedMs }
    await opened.player.play(0, startedMs)
  })
  proxy.block()
  await page.waitForTimeout(cutOffMs)
  const readStatus = () => page.evaluate(() => playing.player.sample()?.status)
  await expect.poll(readStatus).toBe('buffering')

  proxy.unblock()
  await expect.poll(readStatus, { timeout: 4 * cutOffMs }).toBe('playing')
  const readOffMs = () =>
    page.evaluate(() => {
      const { positionMs = NaN, atClientMs = NaN } = playing.player.sample() ?? {}
      return Math.abs(positionMs - (atClientMs - playing.startedMs))
    })
  // Read again where a busy machine drops sound as it starts.
  await expect.poll(readOffMs, { timeout: 15_000 }).toBeLessThan(startsWithinMs)
  await proxy.close()
})
