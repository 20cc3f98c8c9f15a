import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longTracks } from '../../server/test/long-tracks.ts'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

// Named here and made later: workers that run other files load this one as well.
const musicDir = join(tmpdir(), `earshot-recorded-${randomUUID()}`)
test.beforeAll(() => {
  mkdirSync(musicDir)
  writeFileSync(join(musicDir, 'recording.webm'), makeRecording())
  const cut = join(musicDir, 'cut-off.flac')
  longTracks.find(({ name }) => name === 'flac-44.flac')?.write(cut, 40)
  truncateSync(cut, Math.floor(statSync(cut).size * 0.46))
})
test.afterAll(() => rmSync(musicDir, { recursive: true, force: true }))
test.use({ appOptions: { musicDir } })

/** A file as recorders write it: with the duration element turned into one that parsers skip. */
function makeRecording(): Buffer {
  const recording = readFileSync(
    join(import.meta.dirname, '..', '..', 'server', 'test', 'audio', 'tone.webm'),
  )
  recording.set([0xec, 0x40, 0x08], recording.indexOf(Buffer.from([0x44, 0x89, 0x88])))
  return recording
}

test('10.12b a file without a duration ends when its sound ends', async ({ app, owner, room }) => {
  const { page, context } = owner
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['recording'])
  await press(page, 'Play')
  await expect(nowPlaying(page).getByRole('heading', { level: 3 })).toBeHidden()
})

test('10.16 a file that is cut off lasts as long as its sound', async ({ app, owner, room }) => {
  const { page, context } = owner
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['cut-off'])
  await expect(nowPlaying(page).getByText('0:18')).toBeVisible()
})
