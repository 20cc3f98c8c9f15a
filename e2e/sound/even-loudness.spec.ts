import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startApp, type App } from '../support/app.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'
import { createRoomOfTwo, expect, test, type RoomOfTwo } from './fixtures.ts'
import type { Recorder } from './recording/recorder.ts'
import { makeNoiseWav } from './recording/noise-tracks.ts'

const gainDb = -10
/** Of a level; a stutter of a busy machine makes two seconds quieter. */
const withinDb = 1
/** Where listeners could notice the skew. */
const maxSkewMs = 15
/** Two different sounds reach about 0.05. */
const minCorrelation = 0.2

let musicDir: string
let app: App
let room: RoomOfTwo

test.beforeAll(async ({ browsers }) => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-loudness-'))
  const seconds = 120
  writeFileSync(join(musicDir, 'loud.wav'), makeNoiseWav({ seconds, title: 'Loud', seed: 1, gainDb }))
  writeFileSync(join(musicDir, 'plain.wav'), makeNoiseWav({ seconds, title: 'Plain', seed: 2 }))
  app = await startApp({ musicDir })
  room = await createRoomOfTwo(app, browsers, 'Loudness')
})
test.afterAll(async () => {
  await room.close()
  await app.stop()
  rmSync(musicDir, { recursive: true, force: true })
})

async function switchLoudness(page: Page): Promise<void> {
  await nowPlaying(page)
    .getByRole('button', { name: /^Your sync/ })
    .click()
  await page.getByRole('switch', { name: 'Even out loudness' }).click()
  await page.keyboard.press('Escape')
}

/** Expects the owner's sound to be so much louder than the listener's, at the same time. */
async function expectLouderBy(recorder: Recorder, db: number): Promise<void> {
  await expect(async () => {
    const recording = await recorder.record(2_000)
    expect(Math.min(recording.loudness(0), recording.loudness(1))).toBeGreaterThan(0.005)
    const louderDb = 20 * Math.log10(recording.loudness(0) / recording.loudness(1))
    expect(Math.abs(louderDb - db)).toBeLessThan(withinDb)
    const { correlation, lagMs } = recording.skew(0, 1)
    expect(correlation).toBeGreaterThan(minCorrelation)
    expect(Math.abs(lagMs)).toBeLessThan(maxSkewMs)
  }).toPass({ timeout: 45_000 })
}

const unlessOff =
  '17.443, 17.486, 17.487 a track with a gain of -10 dB, and one without after it, is heard 10 dB quieter, unless that is switched off'

// The gain itself is measured by the tests of the players.
test(unlessOff, { tag: '@long' }, async ({ recorder }) => {
  const [owner, listener] = [room.owner.page, room.listener.page]
  await openRoom(owner, app.url, room.roomId)
  await addTracks(app, room.owner.context, room.roomId, ['Loud', 'Plain'])
  await openRoom(listener, app.url, room.roomId)
  await press(owner, 'Play')
  await Promise.all([owner, listener].map((page) => waitUntilInSync(page)))
  await switchLoudness(owner)
  await test.step('the owner hears the track as it is', () => expectLouderBy(recorder, -gainDb))
  await switchLoudness(listener)
  await test.step('both hear it as it is', () => expectLouderBy(recorder, 0))
  await switchLoudness(owner)
  await test.step('the owner hears it evened out', () => expectLouderBy(recorder, gainDb))
  await press(owner, 'Next track')
  await expect(nowPlaying(owner).getByRole('heading', { name: 'Plain' })).toBeVisible()
  await test.step('a track without a gain is as much quieter', () => expectLouderBy(recorder, gainDb))
})
