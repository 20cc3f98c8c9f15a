import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { soundOf } from '@earshot/provider-doubles/spotify/sdk-routes'
import { startSpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { renderTrackSound } from '@earshot/provider-doubles/track-sound'
import { openBrowser } from '../support/browser.ts'
import {
  connectDevice,
  createPlayer,
  startSite,
  startTrack,
  waitUntilSounding,
} from '../players/spotify-sdk-page.ts'
import { cut, longestGapMs, recordedRate, takeListener } from './recording/recording.ts'
import { measureSkew } from './skew/skew.ts'
import { startSoundServer } from './recording/sound-server.ts'

/** The sound device's latency, and the accuracy of when the recording began. */
const maxErrorMs = 200

test('the Spotify double sounds the track at the position that it reports, without gaps', async () => {
  const [double, site, server] = await Promise.all([startSpotifyDouble(), startSite(), startSoundServer(1)])
  const browser = await openBrowser({ sound: server.environment(0) })
  const { page } = browser
  const token = double.control.issueAccessToken('premium-paula')
  const [track] = double.control.tracks
  await page.goto(site.url)
  await createPlayer(page, double, [token])
  const deviceId = await connectDevice(page)
  // Ten seconds of sound come in one part: this recording crosses from one into the next.
  await startTrack(double, { deviceId, token, trackIds: [track!.id], positionMs: 17_000 })
  await waitUntilSounding(page)
  const path = test.info().outputPath('recording')
  const recording = await server.recordTo(path)
  await page.waitForTimeout(4_000)
  const state = await page.evaluate(() => window.spotifyPlayer.getCurrentState())
  const reportedAtMs = performance.now() - recording.startedAtMs
  await recording.stop()
  const recorded = takeListener(await readFile(path), 0, 1)
  await Promise.all([browser.close(), double.close(), server.stop()])
  site.stop()

  expect(longestGapMs(recorded)).toBeLessThan(500)
  const windowMs = 2_000
  const fromMs = reportedAtMs - windowMs
  const whole = renderTrackSound(soundOf(track!), 60_000, recordedRate)
  const expected = cut(whole, state!.position - windowMs, state!.position)
  const { lagMs, correlation } = measureSkew(expected, cut(recorded, fromMs, fromMs + windowMs), 1_000)
  expect(correlation).toBeGreaterThan(0.5)
  expect(Math.abs(lagMs)).toBeLessThan(maxErrorMs)
})
