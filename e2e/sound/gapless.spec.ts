import { setTimeout as delay } from 'node:timers/promises'
import { nowPlaying, openRoom, press } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseWav } from './recording/noise-tracks.ts'
import { cut, longestGapMs, recordedRate } from './recording/recording.ts'
import { measureSkew } from './skew/skew.ts'

/** Seconds of each track that are looked for in a recording. */
const sought = 1
/** The header of a WAV file takes less. */
const headSeconds = 0.01

/** Returns when, in ms of a recording, a part of it begins that sounds like `part`. */
function find(recording: Float32Array, part: Float32Array): number {
  const padded = new Float32Array(recording.length)
  padded.set(part)
  return measureSkew(padded, recording, (recording.length / recordedRate) * 1_000).lagMs
}

/** Reads the samples of a track of the recorder's library: `seed` is its place there. */
function readTrack(title: string, seed: number, seconds: number): Float32Array {
  const wav = makeNoiseWav({ title, seed, seconds })
  const from = wav.length - seconds * recordedRate * 2
  return Float32Array.from(
    { length: seconds * recordedRate },
    (_, frame) => wav.readInt16LE(from + frame * 2) / 32_768,
  )
}

const short = { title: 'Gamma', seed: 3, seconds: 6 }
const last = cut(
  readTrack(short.title, short.seed, short.seconds),
  (short.seconds - sought) * 1_000,
  Infinity,
)
const first = cut(readTrack('Omega', 4, 90), headSeconds * 1_000, sought * 1_000)

test('17.462, 17.464 a track of the library follows another one without a gap, at all listeners at once', async ({
  app,
  recorder,
  owner,
  listener,
}) => {
  test.setTimeout(120_000)
  // Sound stutters on a busy machine.
  await expect(async () => {
    const roomId = await createRoom(app, owner.context, { name: 'Gapless' })
    for (const { page } of [owner, listener]) await openRoom(page, app.url, roomId)
    const stop = await recorder.start()
    await addTracks(app, owner.context, roomId, [short.title, 'Omega'])
    await press(owner.page, 'Play')
    await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Omega' })).toBeVisible({
      timeout: 15_000,
    })
    await delay(2_000)
    const recording = await stop()
    for (const person of [0, 1]) {
      const sound = recording.samples(person)
      const endsAtMs = find(sound, last) + sought * 1_000
      const beginsAtMs = find(sound, first) - headSeconds * 1_000
      console.log(`${person}: the second track begins ${(beginsAtMs - endsAtMs).toFixed(2)} ms after the end`)
      expect(Math.abs(beginsAtMs - endsAtMs)).toBeLessThan(2)
      expect(longestGapMs(cut(sound, endsAtMs - 500, beginsAtMs + 500))).toBe(0)
    }
    const apart = recording.windows().filter(({ sounding: [a, b] }) => a !== b)
    expect(apart.length).toBeLessThan(10)
  }).toPass({ timeout: 110_000 })
})
