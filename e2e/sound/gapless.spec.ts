import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { startApp } from '../support/app.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseFolder, makeNoiseWav, type Encoding } from './recording/noise-tracks.ts'
import type { Recorder } from './recording/recorder.ts'
import { cut, longestGapMs, recordedRate } from './recording/recording.ts'
import { measureSkew } from './skew/skew.ts'

/** The last packets of encoders are not full. */
const tracks = [
  { title: 'Before', seconds: 6.1234 },
  { title: 'After', seconds: 30 },
] as const
/** What is looked for in a recording: so much of each track, but the edge, which encoders change. */
const soughtMs = 1_000
const edgeMs = 50

/** Returns when, in ms of a recording, what sounds like `part` begins. */
function find(recording: Float32Array, part: Float32Array): number {
  const padded = new Float32Array(recording.length)
  padded.set(part)
  return measureSkew(padded, recording, (recording.length / recordedRate) * 1_000).lagMs
}

/** Makes the samples of one of the tracks. */
function samplesOf(index: 0 | 1): Float32Array {
  const wav = makeNoiseWav({ ...tracks[index], seed: index + 1 })
  const frames = Math.round(tracks[index].seconds * recordedRate)
  const from = wav.length - frames * 2
  return Float32Array.from({ length: frames }, (_, frame) => wav.readInt16LE(from + frame * 2) / 32_768)
}

const lengthMs = tracks[0].seconds * 1_000
const last = cut(samplesOf(0), lengthMs - soughtMs, lengthMs - edgeMs)
const first = cut(samplesOf(1), edgeMs, soughtMs)

/** Records both tracks, one after the other. Returns when the first one ends and the second one begins, for each person. */
async function recordChange(recorder: Recorder, owner: Person, listener: Person) {
  const stop = await recorder.start()
  await press(owner.page, 'Play')
  const second = nowPlaying(listener.page).getByRole('heading', { name: tracks[1].title })
  await expect(second).toBeVisible({ timeout: 20_000 })
  await delay(2_000)
  const recording = await stop()
  return [0, 1].map((person) => {
    const sound = recording.samples(person)
    const endsAtMs = find(sound, last) + soughtMs
    const beginsAtMs = find(sound, first) - edgeMs
    const gapMs = longestGapMs(cut(sound, endsAtMs - 500, beginsAtMs + 500))
    console.log(
      `${person}: begins ${(beginsAtMs - endsAtMs).toFixed(2)} ms after the end; silent for ${gapMs} ms`,
    )
    return { laterMs: beginsAtMs - endsAtMs, gapMs }
  })
}

interface Two {
  owner: Person
  listener: Person
}

/** Tries it with two people in a new room with these tracks, until it succeeds: sound stutters on a busy machine. */
async function attempt(
  browsers: [Browser, Browser],
  folder: ReturnType<typeof makeNoiseFolder>,
  titles: string[],
  run: (two: Two) => Promise<void>,
): Promise<void> {
  const app = await startApp({ musicDir: folder.path })
  const [owner, listener] = [
    await openPerson(browsers[0], app, 'ann'),
    await openPerson(browsers[1], app, 'ben'),
  ]
  try {
    await expect(async () => {
      const id = await createRoom(app, owner.context, { name: 'Gapless' })
      for (const { page } of [owner, listener]) await openRoom(page, app.url, id)
      await addTracks(app, owner.context, id, titles)
      await run({ owner, listener })
    }).toPass({ timeout: 120_000 })
  } finally {
    await Promise.all([owner.context.close(), listener.context.close()])
    await app.stop()
    folder.remove()
  }
}

for (const encoding of [undefined, 'opus', 'mp3', 'm4a'] satisfies (Encoding | undefined)[])
  test(
    `17.462, 17.464, 17.465 a track follows another one without a gap: ${encoding ?? 'wav'}`,
    { tag: encoding === 'opus' ? [] : ['@long'] },
    async ({ recorder, browsers }) => {
      test.setTimeout(150_000)
      const titles = tracks.map(({ title }) => title)
      await attempt(browsers, makeNoiseFolder([...tracks], encoding), titles, async ({ owner, listener }) => {
        for (const { laterMs, gapMs } of await recordChange(recorder, owner, listener)) {
          expect(Math.abs(laterMs)).toBeLessThan(3)
          expect(gapMs).toBe(0)
        }
      })
    },
  )

test(
  '17.438, 17.439 Next changes over at the same instant, without silence',
  { tag: '@long' },
  async ({ recorder, browsers }) => {
    test.setTimeout(150_000)
    const folder = makeNoiseFolder([{ title: 'Skipped', seconds: 60 }, tracks[1]], 'opus')
    await attempt(browsers, folder, ['Skipped', tracks[1].title], async ({ owner }) => {
      await press(owner.page, 'Play')
      // The next track is loaded ahead after 5 s.
      await delay(9_000)
      const stop = await recorder.start()
      await delay(2_000)
      await press(owner.page, 'Next track')
      await delay(4_000)
      const recording = await stop()
      const begins = [0, 1].map((person) => {
        const sound = recording.samples(person)
        const beginsAtMs = find(sound, first) - edgeMs
        const gapMs = longestGapMs(cut(sound, beginsAtMs - 1_500, beginsAtMs + 1_500))
        console.log(`${person}: begins at ${beginsAtMs.toFixed(2)} ms; silent for ${gapMs} ms around it`)
        expect(gapMs).toBe(0)
        return beginsAtMs
      })
      expect(Math.abs(begins[0]! - begins[1]!)).toBeLessThan(3)
    })
  },
)

test(
  '17.446 two pages fall silent at the same instant of a pause',
  { tag: '@long' },
  async ({ recorder, browsers }) => {
    test.setTimeout(150_000)
    const folder = makeNoiseFolder([{ title: 'Paused', seconds: 60 }], 'opus')
    await attempt(browsers, folder, ['Paused'], async ({ owner }) => {
      await press(owner.page, 'Play')
      await delay(5_000)
      const stop = await recorder.start()
      await delay(1_000)
      await press(owner.page, 'Pause')
      await delay(1_500)
      const recording = await stop()
      const ends = [0, 1].map((person) => {
        const sound = recording.samples(person)
        return (sound.findLastIndex((sample) => Math.abs(sample) > 0.01) / recordedRate) * 1_000
      })
      console.log(`silent after ${ends.map((ms) => ms.toFixed(2)).join(' and ')} ms`)
      expect(ends[0]).toBeGreaterThan(1_000)
      expect(Math.abs(ends[0]! - ends[1]!)).toBeLessThan(4)
    })
  },
)
