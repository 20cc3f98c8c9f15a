import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp, type App } from '../support/app.ts'
import { openPerson, type Person } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseWav } from './recording/noise-tracks.ts'
import { hearTwo } from './two-listeners.ts'

// One room after the other, in a library whose files change while they play.
test.describe.configure({ mode: 'serial' })

const seconds = 100
const formats = ['mp3', 'flac', 'm4a', 'opus']
const coverBytes = 1_000_000
/** A busy machine drops sound: then the file is tagged once more. */
const patience = { timeout: 120_000, intervals: [0] }

let musicDir: string
let workDir: string
let app: App
let owner: Person
let listener: Person
const ends: (() => unknown)[] = []

const pathOf = (name: string) => join(musicDir, name)

function runFfmpeg(...parts: string[]): void {
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...parts])
}

function makeTrack(title: string, format: string): void {
  const wav = join(workDir, 'noise.wav')
  writeFileSync(wav, makeNoiseWav({ title, seconds, seed: title.length }))
  runFfmpeg('-i', wav, '-metadata', `title=${title}`, '-movflags', '+faststart', pathOf(`${title}.${format}`))
}

/** As taggers do: another file, with a larger tag before the same sound, takes the place of the first. */
function tagAnew(name: string, tagBytes: number): void {
  const [tags, draft] = [join(workDir, 'tags.txt'), join(workDir, `draft-${name}`)]
  writeFileSync(tags, `;FFMETADATA1\ntitle=${name.split('.')[0]}\ncomment=${'x'.repeat(tagBytes)}\n`)
  const copied = ['-map', '0:a', '-map_metadata', '1', '-c', 'copy', '-movflags', '+faststart']
  runFfmpeg('-i', pathOf(name), '-i', tags, ...copied, draft)
  renameSync(draft, pathOf(name))
}

test.beforeAll(async ({ browsers }) => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-changing-'))
  workDir = mkdtempSync(join(tmpdir(), 'earshot-tagger-'))
  for (const folder of [musicDir, workDir])
    ends.unshift(() => rmSync(folder, { recursive: true, force: true }))
  for (const format of formats) makeTrack(`In ${format}`, format)
  for (const title of ['Played on', 'Renamed', 'Cut off', 'Deleted', 'Next in line']) makeTrack(title, 'mp3')
  app = await startApp({ musicDir })
  ends.unshift(() => app.stop())
  ;[owner, listener] = await Promise.all([
    openPerson(browsers[0], app, 'opal'),
    openPerson(browsers[1], app, 'lars'),
  ])
  ends.unshift(() => Promise.all([owner, listener].map(({ context }) => context.close())))
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

async function playTogether(titles: string[]): Promise<void> {
  const roomId = await createRoom(app, owner.context, { name: `With ${titles[0]}` })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, titles)
  await openRoom(listener.page, app.url, roomId)
  await press(owner.page, 'Play')
  await Promise.all([owner, listener].map(({ page }) => waitUntilInSync(page)))
}

async function seekTo(share: number): Promise<void> {
  const box = await nowPlaying(owner.page).getByRole('slider', { name: 'Position' }).boundingBox()
  if (box) await owner.page.mouse.click(box.x + share * box.width, box.y + box.height / 2)
}

/** Nobody heard another sound than the other one, or silence, for as long as anybody notices. */
const heardAsOne = { aloneMs: 400, apartMs: 400 }

test('17.175 a track that is tagged anew plays on without a gap', async ({ recorder }) => {
  await playTogether(['Played on'])
  let attempt = 0
  await expect(async () => {
    // What is buffered of the file before lasts for 10 s at least.
    const heard = await hearTwo(recorder, 22_000, async () => {
      await delay(1_000)
      tagAnew('Played on.mp3', attempt++ % 2 === 0 ? coverBytes : 100)
    })
    expect(heard.silentMs).toBeLessThan(200)
    expect(heard.aloneMs).toBeLessThan(heardAsOne.aloneMs)
    expect(heard.apartMs).toBeLessThan(heardAsOne.apartMs)
  }).toPass(patience)
})

for (const format of formats) {
  test(`17.175 a seek in a ${format} file that is tagged anew leads both to the same moment`, async ({
    recorder,
  }) => {
    const title = `In ${format}`
    await playTogether([title])
    let attempt = 0
    await expect(async () => {
      const heard = await hearTwo(recorder, 4_500, async () => {
        tagAnew(`${title}.${format}`, attempt++ % 2 === 0 ? coverBytes : 100)
        await seekTo(0.5 + 0.1 * (attempt % 3))
      })
      expect(heard.endsTogetherMs).toBeGreaterThan(2_500)
      expect(heard.silentMs + heard.aloneMs).toBeLessThan(1_500)
    }).toPass(patience)
  })
}

test('17.176 a track that is renamed while it plays goes on', async ({ recorder }) => {
  await playTogether(['Renamed', 'Next in line'])
  await expect(async () => {
    const heard = await hearTwo(recorder, 5_000, async () => {
      const [name = ''] = readdirSync(musicDir).filter((each) => each.startsWith('Renamed'))
      renameSync(pathOf(name), pathOf(name.replace('.mp3', ' again.mp3')))
      await seekTo(0.6)
    })
    expect(heard.endsTogetherMs).toBeGreaterThan(1_000)
    await expect(nowPlaying(listener.page).getByRole('heading', { name: 'Renamed' })).toBeVisible()
  }).toPass(patience)
})

for (const [title, change] of [
  ['Cut off', () => truncateSync(pathOf('Cut off.mp3'), 30 * 8_000)],
  ['Deleted', () => rmSync(pathOf('Deleted.mp3'))],
] as const) {
  test(`17.176 the next track follows one that is ${title.toLowerCase()} while it plays, for both`, async ({
    recorder,
  }) => {
    await playTogether([title, 'Next in line'])
    const heard = await hearTwo(recorder, 4_000, async () => {
      change()
      const next = nowPlaying(listener.page).getByRole('heading', { name: 'Next in line' })
      await expect(next).toBeVisible({ timeout: 60_000 })
    })
    expect(heard.endsTogetherMs).toBeGreaterThan(1_500)
  })
}
