import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flacFrame, flacHead } from '../../server/test/flac.ts'
import { longTracks } from '../../server/test/long-tracks.ts'
import { startApp, type App } from '../app.ts'
import { openPerson, type Person } from '../fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../room-page.ts'
import { addTracks, createRoom, readPlayback } from '../rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseWav } from './noise-tracks.ts'
import { hearTwo } from './two-listeners.ts'

// One library, a room for each queue.
test.describe.configure({ mode: 'serial' })

const seconds = 5
const longSeconds = 40
const statedSeconds = 12

/** Tracks of noise by an encoder; the generator's WAV files are silent. */
const encoded = longTracks.filter(({ name }) => !name.endsWith('.wav'))
const titleOf = (name: string): string => name.replace(/\.\w+$/, '')

const waves = [
  { title: 'eight-kilohertz', seconds, rate: 8_000 },
  { title: 'blink', seconds: 0.2, rate: 48_000 },
  { title: 'many-kilohertz', seconds, rate: 192_000 },
  { title: 'last', seconds: 20, rate: 48_000 },
]

/** Files whose headers state less than they hold, by title. */
const understated = ['short-flac', 'short-mp3', 'short-m4a']

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
  for (const [name, as] of [
    ['mp3-vbr-table.mp3', 'short-mp3.mp3'],
    ['aac-m4a.m4a', 'short-m4a.m4a'],
  ] as const) {
    const path = join(musicDir, as)
    longTracks.find((track) => track.name === name)?.write(path, longSeconds)
    writeFileSync(path, understate(readFileSync(path)))
  }
}

/** Divides the counts of a header: of frames in a Xing header, and of time in the boxes of an MP4 file. */
function understate(bytes: Buffer): Buffer {
  const counts = [
    { name: 'Xing', at: 8 },
    { name: 'mvhd', at: 20 },
    { name: 'tkhd', at: 24 },
    { name: 'mdhd', at: 20 },
    { name: 'elst', at: 12 },
  ]
  for (const { name, at } of counts) {
    const found = bytes.indexOf(name, 0, 'latin1')
    if (found < 0) continue
    const stated = bytes.readUInt32BE(found + at)
    bytes.writeUInt32BE(Math.round((stated * statedSeconds) / longSeconds), found + at)
  }
  return bytes
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

for (const title of understated) {
  test(`17.153 ${title} plays to its end, though its header states a third of it`, async () => {
    await openQueue([title])
    await press(owner.page, 'Play')
    await waitUntilInSync(owner.page)
    await expect(nowPlaying(owner.page).getByText('0:40')).toBeVisible({ timeout: 15_000 })
  })
}
