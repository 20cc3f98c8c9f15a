import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { borrowDatabase } from '../../test/databases.ts'
import { asOrdinaryUser, makeFolder, writeIn } from '../../test/folders.ts'
import { upsertLibraryFiles } from '../db/catalogue/library-files.ts'
import { makeFile, makeTrack } from '../db/testing/library-rows.ts'
import { upsertTracks } from '../db/tracks.ts'
import { createFileCheck } from './missing-file.ts'

const track = makeTrack('Blue', 'Ann', 'Sea')

/** A music folder with another track beside the disk `nas`, and the check of a track on that disk. */
async function makeDisk() {
  const musicDir = await makeFolder()
  await writeIn(musicDir, 'other.mp3', 'sound')
  await writeIn(musicDir, 'nas/Ann/Sea/blue.mp3', 'sound')
  await writeIn(musicDir, 'nas/Ann/Sea/red.mp3', 'sound')
  const db = await borrowDatabase()
  await upsertTracks(db, [track], 1)
  await upsertLibraryFiles(db, [makeFile(track, 'nas/Ann/Sea/blue.mp3')])
  const clock = createFakeClock()
  const find = createFileCheck(db, musicDir, clock)
  return {
    db,
    clock,
    musicDir,
    disk: join(musicDir, 'nas'),
    find: () => find(track),
    isMissing: async () => (await find(track)) === 'gone',
    isUnmounted: async () => (await find(track)) === 'unmounted',
  }
}

it('16.124 a file is missing where others are left beside it, or beside its folder', async () => {
  const { disk, isMissing } = await makeDisk()
  expect(await isMissing()).toBe(false)
  await rm(join(disk, 'Ann/Sea/blue.mp3'))
  expect(await isMissing()).toBe(true)
  await writeIn(disk, 'Ben/x.mp3', 'sound')
  await rm(join(disk, 'Ann'), { recursive: true })
  expect(await isMissing()).toBe(true)
})

it('17.192 a file is missing where a folder or a pipe is in its place', async () => {
  const { disk, isMissing } = await makeDisk()
  const path = join(disk, 'Ann/Sea/blue.mp3')
  await rm(path)
  await mkdir(path)
  expect(await isMissing()).toBe(true)
  await rm(path, { recursive: true })
  execFileSync('mkfifo', [path])
  expect(await isMissing()).toBe(true)
})

it('16.124 no file is missing on a disk inside the music folder that is not mounted: it is away', async () => {
  const { db, disk, isUnmounted } = await makeDisk()
  await rm(disk, { recursive: true })
  await mkdir(disk)
  expect(await isUnmounted()).toBe(true)
  await db.updateTable('library_files').set({ missing_since: 1 }).execute()
  expect(await isUnmounted()).toBe(true)
})

it('16.318 a file is away for two minutes after a whole folder of the music folder disappeared, and then missing', async () => {
  const { db, clock, disk, find } = await makeDisk()
  await rename(disk, `${disk} elsewhere`)
  expect(await find()).toBe('unmounted')
  await db.updateTable('library_files').set({ missing_since: clock.now() }).execute()
  clock.advance(119_000)
  expect(await find()).toBe('unmounted')
  clock.advance(1_000)
  expect(await find()).toBe('gone')
})

it('16.124 no file is missing in a folder that cannot be read: it is away', async () => {
  const { disk, isUnmounted } = await makeDisk()
  await rm(disk, { recursive: true })
  // A link to itself fails as a disk does that has gone away, also for root.
  await symlink('nas', disk)
  expect(await isUnmounted()).toBe(true)
})

it('17.310 a file without the permission to read it is there, and unreadable', async () => {
  const { musicDir, disk, find } = await makeDisk()
  await chmod(musicDir, 0o755)
  await chmod(join(disk, 'Ann/Sea/blue.mp3'), 0)
  // The query comes first: what reads the database may not be opened by the other user.
  expect(await find()).toBe(process.getuid?.() === 0 ? 'there' : 'unreadable')
  expect(await asOrdinaryUser(find)).toBe('unreadable')
})
