import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trackStreamPath } from '@earshot/core/protocol/media-paths'
import { build, type Rolldown } from 'vite'
import { longTracks, writeM4a } from '../../server/test/long-tracks.ts'
import { recordWebm } from '../../server/test/webm.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, openPerson, test, type Person } from '../support/fixtures.ts'
import { region } from '../support/room-page.ts'
import { addTracks, createRoom, readLibrary } from '../support/rooms.ts'

const titleOf = ({ name }: { name: string }): string => name.replace(/\.\w+$/, '')

const seconds = 25
/** Around the ends of fragments, which last ten seconds, and in the middle of packets. */
const positionsMs = [1, 150, 3_333, 9_990, 10_000, 10_500, 17_777, 24_500]

/** Times in whole milliseconds, and frames that refer to eight earlier ones. */
const shortFiles = ['noise.webm', 'noise-8k.mp3']
const shortSeconds = 2
const shortPositionsMs = [1, 150, 333, 950, 1_333, 1_777]
/** As a browser records it. */
const recording = 'recording.webm'
const shortFolder = join(import.meta.dirname, '../../server/test/audio/two-seconds')

/** Served as it is, and with an index. */
const gapFiles = ['gap-recording.webm', 'gap-index.m4a'] as const
const gapMs = 700
/** Before, in and behind the gap, which is from the first second on. */
const gapPositionsMs = [1, 500, 1_100, 1_300, 1_500, 2_000, 2_400]

const cases = [
  ...longTracks.map((track) => ({ title: titleOf(track), seconds, positionsMs })),
  ...[...shortFiles, recording].map((name) => ({
    title: titleOf({ name }),
    seconds: shortSeconds,
    positionsMs: shortPositionsMs,
  })),
]
/** Full scale is 1. Opus converges on what it would have been; the others repeat it to the bit. */
const tolerance = (title: string): number => (/^(opus|noise|.*recording)$/.test(title) ? 0.001 : 0)

// All tracks are in one room, which one page has opened.
test.describe.configure({ mode: 'serial' })

let app: App
let musicDir: string
let listener: Person
let trackIds: Map<string, string>

test.beforeAll(async ({ browser }) => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-positions-'))
  for (const track of longTracks) track.write(join(musicDir, track.name), seconds)
  writeFileSync(join(musicDir, recording), recordWebm('noise.opus'))
  writeFileSync(join(musicDir, gapFiles[0]), recordWebm('noise.opus', { gapMs }))
  writeM4a(join(musicDir, gapFiles[1]), shortSeconds, gapMs)
  for (const name of shortFiles) copyFileSync(join(shortFolder, name), join(musicDir, name))
  app = await startApp({ musicDir })
  listener = await openPerson(browser, app, 'listener')
  const { page, context } = listener
  const roomId = await createRoom(app, context, { name: 'Positions' })
  await page.goto(`${app.url}/room/${roomId}`)
  await expect(region(page, 'Find Music')).toBeVisible()
  await addTracks(app, context, roomId, [
    ...cases.map(({ title }) => title),
    ...gapFiles.map((name) => titleOf({ name })),
  ])
  const tracks = await readLibrary(app, context.request)
  trackIds = new Map(tracks.map(({ title, id }) => [title, id]))
  await page.evaluate(await bundleDecoder())
})
test.afterAll(async () => {
  await listener.context.close()
  await app.stop()
  rmSync(musicDir, { recursive: true, force: true })
})

/** The page's own decoder as a script that defines `decoder`. */
async function bundleDecoder(): Promise<string> {
  const entry = join(import.meta.dirname, '../../web/src/players/library/decoding/track-decoder.ts')
  const lib = { entry, formats: ['iife' as const], name: 'decoder' }
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, lib } })
  const [output] = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[]
  return `${output?.output[0].code};globalThis.decoder = decoder;0`
}

/** Of codecs that have another case. */
const longTitles = new Set(['aac-adts', 'mp3-cbr', 'mp3-vbr-table', 'flac-24-96', 'wav-44'])

for (const { title, seconds, positionsMs } of cases) {
  const tag = longTitles.has(title) ? '@long' : []
  test(`10.4 ${title} sounds the same from wherever it is decoded`, { tag }, () =>
    expectSameSound(title, { seconds, positionsMs, gapsMs: [] }),
  )
}

for (const name of gapFiles) {
  const seconds = shortSeconds + gapMs / 1_000
  test(`17.422 ${titleOf({ name })} is silent in its gap from wherever it is decoded`, () =>
    expectSameSound(titleOf({ name }), { seconds, positionsMs: gapPositionsMs, gapsMs: [gapMs] }))
}

interface Expected {
  seconds: number
  positionsMs: number[]
  gapsMs: number[]
}

async function expectSameSound(title: string, { seconds, positionsMs, gapsMs }: Expected): Promise<void> {
  const url = trackStreamPath(trackIds.get(title) ?? '')
  const decoded = await listener.page.evaluate(compare, { url, positionsMs })
  expect(decoded.gapsMs).toEqual(gapsMs)
  expect(decoded.firstFrame).toBeLessThanOrEqual(0)
  expect(Math.abs(decoded.seconds - seconds)).toBeLessThan(0.1)
  for (const difference of decoded.differences) expect(difference).toBeLessThanOrEqual(tolerance(title))
}

interface Decoder {
  openTrackDecoder(
    url: string,
    durationMs: number | null,
    onChanged: () => void,
    signal: AbortSignal,
  ): Promise<{
    decodeFrom(
      positionMs: number,
      use: { isPlaying: boolean },
    ): AsyncIterable<{
      startFrame: number
      sampleRate: number
      channels: Float32Array[]
    }>
    dispose(): void
  }>
}

/** Runs in the page: decodes a track whole and from positions on, and compares 150 ms after each. */
async function compare({ url, positionsMs }: { url: string; positionsMs: number[] }) {
  const { decoder } = globalThis as unknown as { decoder: Decoder }

  const decode = async (fromMs: number, untilMs: number) => {
    const track = await decoder.openTrackDecoder(url, null, () => undefined, new AbortController().signal)
    const parts: { startFrame: number; channel: Float32Array }[] = []
    const gapsMs: number[] = []
    let [first, next, rate] = [0, 0, 0]
    for await (const { startFrame, sampleRate, channels } of track.decodeFrom(fromMs, { isPlaying: true })) {
      const [channel = new Float32Array()] = channels
      if (parts.length === 0) first = startFrame
      else if (startFrame !== next) gapsMs.push(Math.round(((startFrame - next) / sampleRate) * 1_000))
      next = startFrame + channel.length
      rate = sampleRate
      parts.push({ startFrame, channel })
      if (next > (untilMs / 1_000) * rate) break
    }
    track.dispose()
    const samples = new Float32Array(next - first)
    for (const { startFrame, channel } of parts) samples.set(channel, startFrame - first)
    return { first, rate, gapsMs, samples }
  }

  const whole = await decode(0, Number.POSITIVE_INFINITY)
  const differences: number[] = []
  for (const ms of positionsMs) {
    const part = await decode(ms, ms + 150)
    const from = Math.round((ms / 1_000) * whole.rate)
    let difference = from < part.first ? 1 : 0
    for (let frame = from; frame < from + 0.15 * whole.rate; frame += 1) {
      const [one = 0, other = 1] = [part.samples[frame - part.first], whole.samples[frame - whole.first]]
      difference = Math.max(difference, Math.abs(one - other))
    }
    differences.push(difference)
  }
  const { first, gapsMs, samples, rate } = whole
  return { firstFrame: first, gapsMs, seconds: (first + samples.length) / rate, differences }
}
