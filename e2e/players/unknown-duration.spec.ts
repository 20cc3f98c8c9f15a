import type { Browser } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longTracks } from '../../server/test/long-tracks.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, openPerson, test, type Person } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'

// They share a server, which has the music of both.
test.describe.configure({ mode: 'default' })

let app: App
let musicDir: string

test.beforeAll(async () => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-recorded-'))
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

/** A file as recorders write it: with the duration element turned into one that parsers skip. */
function makeRecording(): Buffer {
  const recording = readFileSync(
    join(import.meta.dirname, '..', '..', 'server', 'test', 'audio', 'tone.webm'),
  )
  recording.set([0xec, 0x40, 0x08], recording.indexOf(Buffer.from([0x44, 0x89, 0x88])))
  return recording
}

/** Opens a new room with a track. */
async function openWithTrack(browser: Browser, title: string): Promise<Person> {
  const owner = await openPerson(browser, app, 'olivia')
  const roomId = await createRoom(app, owner.context, { name: 'Attic' })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, [title])
  return owner
}

test('10.12b a file without a duration ends when its sound ends', async ({ browser }) => {
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
