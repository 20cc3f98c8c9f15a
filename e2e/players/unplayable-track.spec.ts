import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying, openMembers, openRoom, press } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

const audioDir = join(import.meta.dirname, '..', '..', 'server', 'test', 'audio')
// Named here and made later: workers that run other files load this one as well.
const musicDir = join(tmpdir(), `earshot-undecodable-${randomUUID()}`)
test.beforeAll(() => {
  mkdirSync(musicDir)
  writeFileSync(join(musicDir, 'alac.m4a'), makeAlac('Alac'))
  copyFileSync(join(audioDir, 'tone.opus'), join(musicDir, 'tone.opus'))
})
test.afterAll(() => rmSync(musicDir, { recursive: true, force: true }))
test.use({ appOptions: { musicDir } })

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

test('10.11a, 10.11c, 10.11d a format that the browser cannot play is named, and the owner can skip it', async ({
  app,
  owner,
  listener,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Alac', 'Tone'])
  await openRoom(listener.page, app.url, room.id)

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
})

test('17.428 a track that the browser could not play sounds at its next turn where its file was replaced', async ({
  app,
  owner: { page, context },
  room,
}) => {
  const path = join(musicDir, 'late.m4a')
  writeFileSync(path, makeAlac('Late'))
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Late', 'Tone', 'Late'])
  await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeVisible()
  await press(page, 'Skip')
  await expect(nowPlaying(page).getByRole('heading', { name: 'Tone' })).toBeVisible()
  writeFileSync(path, makeAac('Late'))
  await press(page, 'Next track')
  await expect(nowPlaying(page).getByRole('heading', { name: 'Late' })).toBeVisible()
  await expect(nowPlaying(page).getByText('This browser cannot play this format')).toBeHidden()
  await expect(nowPlaying(page).getByText('Paused')).toBeVisible()
  rmSync(path)
})
