import type { Browser } from '@playwright/test'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longTracks } from '../../server/test/long-tracks.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, openPerson, test, type Person } from '../support/fixtures.ts'
import { nowPlaying, openMembers, openRoom, press } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'

const audioDir = join(import.meta.dirname, '..', '..', 'server', 'test', 'audio')

// They share a server, which has the music of all.
test.describe.configure({ mode: 'default' })

let app: App
let musicDir: string

test.beforeAll(async () => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-faulty-'))
  writeFileSync(join(musicDir, 'alac.m4a'), makeAlac('Alac'))
  writeFileSync(join(musicDir, 'late.m4a'), makeAlac('Late'))
  copyFileSync(join(audioDir, 'tone.opus'), join(musicDir, 'tone.opus'))
  writeFileSync(join(musicDir, 'recording.webm'), makeRecording())
  const cut = join(musicDir, 'cut-off.flac')
  longTracks.find(({ name }) => name === 'flac-44.flac')?.write(cut, 40)
  truncateSync(cut, Math.floor(statSync(cut).size * 0.46))
  app = await startApp({ musicDir })
})
test.afterAll(async () => {
  await app.stop()
  rmSync(musicDir, { recursive: true, force: true })
})

/** The AAC file, titled with four letters. */
function makeAac(title: string): Buffer {
  const file = readFileSync(join(audioDir, 'tone.m4a'))
  file.write(title, file.lastIndexOf('Tone'), 'latin1')
  return file
}

/** The same with a sample description that names Apple Lossless. Chromium does not decode it. */
function makeAlac(title: string): Buffer {
  const file = makeAac(title)
  for (const box of ['mp4a', 'esds']) file.write('alac', file.indexOf(box, file.indexOf('stsd')), 'latin1')
  return file
}

/** A file as recorders write it: with the duration element turned into one that parsers skip. */
function makeRecording(): Buffer {
  const recording = readFileSync(join(audioDir, 'tone.webm'))
  recording.set([0xec, 0x40, 0x08], recording.indexOf(Buffer.from([0x44, 0x89, 0x88])))
  return recording
}

test('10.11a, 10.11c, 10.11d a format that the browser cannot play is named, and the owner can skip it', async ({
  browser,
}) => {
  const owner = await openPerson(browser, app, 'olivia')
  const listener = await openPerson(browser, app, 'liam')
  const roomId = await createRoom(app, owner.context, { name: 'Attic' })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, ['Alac', 'Tone'])
  await openRoom(listener.page, app.url, roomId)

  for (const { page } of [owner, listener]) {
    await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeVisible()
    await expect(
      nowPlaying(page).getByRole('button', { name: 'Your sync: Cannot play this format' }),
    ).toBeVisible()
    await expect((await openMembers(page)).getByText('Cannot play this track')).toHaveCount(2)
  }
  await expect(listener.page.getByRole('button', { name: 'Skip' })).toBeHidden()

  await press(owner.page, 'Skip')
  for (const { page } of [owner, listener]) {
    await expect(nowPlaying(page).getByRole('heading', { name: 'Tone' })).toBeVisible()
    await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeHidden()
    await expect(nowPlaying(page).getByText('Paused')).toBeVisible()
  }
  for (const { context } of [owner, listener]) await context.close()
})

test('17.428 a track that the browser could not play sounds at its next turn where its file was replaced', async ({
  browser,
}) => {
  const { page, context } = await openPerson(browser, app, 'olivia')
  const roomId = await createRoom(app, context, { name: 'Attic' })
  await openRoom(page, app.url, roomId)
  await addTracks(app, context, roomId, ['Late', 'Tone', 'Late'])
  await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeVisible()
  await press(page, 'Skip')
  await expect(nowPlaying(page).getByRole('heading', { name: 'Tone' })).toBeVisible()
  writeFileSync(join(musicDir, 'late.m4a'), makeAac('Late'))
  await press(page, 'Next track')
  await expect(nowPlaying(page).getByRole('heading', { name: 'Late' })).toBeVisible()
  await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeHidden()
  await expect(nowPlaying(page).getByText('Paused')).toBeVisible()
  await context.close()
})

/** Opens a new room with a track. */
async function openWithTrack(browser: Browser, title: string): Promise<Person> {
  const owner = await openPerson(browser, app, 'olivia')
  const roomId = await createRoom(app, owner.context, { name: 'Attic' })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, [title])
  return owner
}

test('10.12b a file without a duration ends when its sound ends', { tag: '@long' }, async ({ browser }) => {
  const { page, context } = await openWithTrack(browser, 'recording')
  await press(page, 'Play')
  await expect(nowPlaying(page).getByRole('heading', { level: 3 })).toBeHidden()
  await context.close()
})

test('10.16 a file that is cut off lasts as long as its sound', async ({ browser }) => {
  const { page, context } = await openWithTrack(browser, 'cut-off')
  await expect(nowPlaying(page).getByText('0:18')).toBeVisible()
  await context.close()
})
