import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flacFrame, flacHead } from '../../server/test/flac.ts'
import { longTracks, writeM4a } from '../../server/test/long-tracks.ts'
import { startApp, type App } from '../support/app.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom, readPlayback } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseWav } from './recording/noise-tracks.ts'
import { hearTwo } from './two-listeners.ts'

// One library, a room for each queue.
test.describe.configure({ mode: 'serial' })

const seconds = 5
const longSeconds = 40
const statedSeconds = 12

/** Of silence in the middle. */
const gap = { seconds: 120, ms: 700 }

/** Tracks of noise by an encoder; the generator's WAV files are silent. */
const encoded = longTracks.filter(({ name }) => !name.endsWith('.wav'))
const titleOf = (name: string): string => name.replace(/\.\w+$/, '')

const waves = [
  { title: 'eight-kilohertz', seconds, rate: 8_000 },
  { title: 'blink', seconds: 0.2, rate: 48_000 },
  { title: 'many-kilohertz', seconds, rate: 192_000 },
  { title: 'last', seconds: 20, rate: 48_000 },
]

let musicDir: string
let app: App
let owner: Person
let listener: Person
const ends: (() => unknown)[] = []

test.beforeAll(async ({ browsers }) => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-odd-'))
  ends.unshift(() => rmSync(musicDir, { recursive: true, force: true }))
  for (const track of encoded) track.write(join(musicDir, track.name), seconds)
  for (const [index, wave] of waves.entries()) {
    writeFileSync(join(musicDir, `${wave.title}.wav`), makeNoiseWav({ ...wave, seed: index + 1 }))
  }
  writeUnderstated()
  writeM4a(join(musicDir, 'gap.m4a'), gap.seconds, gap.ms)
  app = await startApp({ musicDir })
  ends.unshift(() => app.stop())
  ;[owner, listener] = await Promise.all([
    openPerson(browsers[0], app, 'odd'),
    openPerson(browsers[1], app, 'lin'),
  ])
  ends.unshift(() => Promise.all([owner, listener].map(({ context }) => context.close())))
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

function writeUnderstated(): void {
  const flac = { sampleRate: 44_100, bits: 16 } as const
  const framesOf = (length: number) => Math.ceil((length * flac.sampleRate) / 4_096)
  const frames = Array.from({ length: framesOf(longSeconds) }, (_, number) => flacFrame(number, flac.bits))
  const head = flacHead({ ...flac, frames: framesOf(statedSeconds) })
  writeFileSync(join(musicDir, 'short-flac.flac'), Buffer.concat([head, ...frames]))
}

async function openQueue(titles: string[]): Promise<string> {
  const roomId = await createRoom(app, owner.context, { name: `Odd ${titles[0]}` })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, titles)
  await openRoom(listener.page, app.url, roomId)
  return roomId
}

test('17.152 tracks of every format end where they end, and the next one follows for both', async ({
  recorder,
}) => {
  const titles = [...encoded.map(({ name }) => titleOf(name)), ...waves.map(({ title }) => title)]
  const roomId = await openQueue(titles)
  const lastHeading = () => nowPlaying(listener.page).getByRole('heading', { name: 'last', exact: true })
  let stopped = 0
  const heard = await hearTwo(recorder, 4_000, async () => {
    const from = Date.now()
    await press(owner.page, 'Play')
    await expect(lastHeading()).toBeVisible({ timeout: 150_000 })
    stopped = Date.now() - from
  })
  const soundMs = (titles.length - 2) * seconds * 1_000
  console.log({ soundMs, stopped, playback: await readPlayback(app, roomId) })
  expect(heard.togetherMs).toBeGreaterThan(0.9 * soundMs)
})

test('17.153 a FLAC file plays to its end, though its header states a third of it', async () => {
  await openQueue(['short-flac'])
  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
  await expect(nowPlaying(owner.page).getByText('0:40')).toBeVisible({ timeout: 15_000 })
})

test('17.422 who joins behind a gap in a file hears what those hear who heard the gap', async ({
  recorder,
}) => {
  const roomId = await createRoom(app, owner.context, { name: 'Gap' })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, ['gap'])
  await press(owner.page, 'Play')
  await waitUntilInSync(owner.page)
  const slider = nowPlaying(owner.page).getByRole('slider', { name: 'Position' })
  const shownS = async () => Number(await slider.inputValue()) / 1_000
  // The slider itself is as small as its thumb.
  const bar = nowPlaying(owner.page).locator('[data-orientation]:has(> [data-orientation] input)').first()
  const { x, y, width, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await owner.page.mouse.click(x + 0.47 * width, y + height / 2)
  await expect.poll(shownS, { timeout: 10_000 }).toBeGreaterThan(gap.seconds / 2 - 6)
  await expect.poll(shownS).toBeGreaterThan(gap.seconds / 2 + 2)
  await openRoom(listener.page, app.url, roomId)
  await waitUntilInSync(listener.page)
  const heard = await hearTwo(recorder, 4_000, () => Promise.resolve())
  expect(heard.apartMs).toBeLessThan(400)
  expect(heard.togetherMs).toBeGreaterThan(3_000)
})
