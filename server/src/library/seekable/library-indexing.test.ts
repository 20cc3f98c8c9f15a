import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import type { Db } from '../../db/database.ts'
import { markLibraryFilesMissing, upsertLibraryFiles } from '../../db/catalogue/library-files.ts'
import { makeFile, makeTrack } from '../../db/testing/library-rows.ts'
import { upsertTracks } from '../../db/tracks.ts'
import { createOpenFiles, findFile } from '../serving/open-files.ts'
import { createOriginalAudio } from '../serving/original-audio.ts'
import { createLibraryIndexing, type indexingLimits, type LibraryIndexing } from './library-indexing.ts'
import { indexNameOf } from './track-index.ts'

interface Opened {
  db: Db
  musicDir: string
  indexDir: string
  /** Indexes the files of at least 1 kB, unless told otherwise. */
  start: (limits?: Partial<typeof indexingLimits>) => LibraryIndexing
  /** Adds a file of the library, as a scan does; with 0 s, the one that is there. Resolves to the name of its index. */
  add: (name: string, seconds: number) => Promise<string>
  names: () => Promise<string[]>
}

async function open(): Promise<Opened> {
  const [musicDir, indexDir] = [await makeFolder(), await makeFolder()]
  const db = await borrowDatabase()
  const openFiles = createOpenFiles()
  onTestFinished(() => openFiles.close())
  const originalAudio = createOriginalAudio(musicDir, openFiles)
  const start: Opened['start'] = (limits) => {
    const logger = pino({ level: 'silent' })
    const chosen = { minBytes: 1_000, restFactor: 0, ...limits }
    const indexing = createLibraryIndexing({ db, indexDir, originalAudio, logger, limits: chosen })
    onTestFinished(() => indexing.close())
    return indexing
  }
  const add = async (name: string, seconds: number): Promise<string> => {
    const path = join(musicDir, name)
    if (seconds > 0) longTracks.find((track) => name.endsWith(track.name))?.write(path, seconds)
    const found = await findFile(path)
    if (!found) throw new Error('The file is not there')
    const track = makeTrack(name, 'Ann', 'Sea')
    const row = { ...makeFile(track, name), size: found.size }
    await upsertTracks(db, [track], 1)
    await upsertLibraryFiles(db, [{ ...row, modified_at: Math.floor(found.modifiedMs) }])
    return indexNameOf(name, found)
  }
  return { db, musicDir, indexDir, start, add, names: () => readdir(indexDir) }
}

it('16.87 long files have an index after a scan, the longest first; short ones and WAV files have none', async () => {
  const { start, add, names } = await open()
  const short = await add('short mp3-cbr.mp3', 2)
  const middle = await add('middle mp3-cbr.mp3', 10)
  const long = await add('long mp3-cbr.mp3', 20)
  await add('wav-44.wav', 1)
  await start({ minBytes: 100_000, maxFiles: 1 }).request()
  expect(await names()).toEqual([long])
  await start({ minBytes: 100_000 }).request()
  expect((await names()).toSorted()).toEqual([middle, long].toSorted())
  expect(await names()).not.toContain(short)
})

it('16.87 what is indexed is not indexed again, also by another start', async () => {
  const { start, add, names, indexDir } = await open()
  const tag = await add('mp3-cbr.mp3', 5)
  await start().request()
  const before = await findFile(join(indexDir, tag))
  const second = await add('other mp3-cbr.mp3', 5)
  await start().request()
  expect(await findFile(join(indexDir, tag))).toEqual(before)
  expect((await names()).toSorted()).toEqual([tag, second].toSorted())
})

it('16.87 the library is gone through rarely while one scan follows another', async () => {
  const { db, start, add, names } = await open()
  const read = vi.spyOn(db, 'selectFrom')
  const indexing = start({ restFactor: 10_000 })
  await indexing.request()
  const next = [indexing.request(), indexing.request()]
  await add('mp3-cbr.mp3', 5)
  await indexing.close()
  await Promise.all(next)
  expect(read).toHaveBeenCalledTimes(1)
  expect(await names()).toEqual([])
})

it('16.87 an index is deleted with its track, and one that is new is kept', async () => {
  const { db, start, add, names, indexDir } = await open()
  const tag = await add('mp3-cbr.mp3', 5)
  const indexing = start()
  await indexing.request()
  const place = await db.selectFrom('library_files').select(['track_id', 'path']).executeTakeFirstOrThrow()
  await markLibraryFilesMissing(db, [place], 1)
  await writeFile(join(indexDir, 'new'), '')
  await utimes(join(indexDir, tag), 1, 1)
  await indexing.request()
  expect(await names()).toEqual(['new'])
})

it('16.87 a file that changed after the scan waits for the next one, and a damaged one holds nothing up', async () => {
  const { start, add, names, musicDir } = await open()
  const changed = await add('changed mp3-cbr.mp3', 20)
  await utimes(join(musicDir, 'changed mp3-cbr.mp3'), 1_000, 1_000)
  const damaged = await add('flac-44.flac', 10)
  await writeFile(join(musicDir, 'aac-m4a.m4a'), 'x'.repeat(5_000))
  const text = await add('aac-m4a.m4a', 0)
  await start().request()
  expect(await names()).not.toContain(changed)
  expect((await names()).toSorted()).toEqual([damaged, text].toSorted())
})
