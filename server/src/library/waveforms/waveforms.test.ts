import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { makeWav } from '../../../test/wav.ts'
import type { Db } from '../../db/database.ts'
import { store, makeTrack } from '../../db/testing/library-rows.ts'
import { findWaveform, listWaveformFiles } from '../../db/catalogue/waveforms.ts'
import { listPendingFrom } from './pending-files.ts'
import { createWaveforms } from './waveforms.ts'

async function open({ isScanning = (): boolean => false } = {}) {
  const musicDir = await makeFolder()
  const db = await borrowDatabase()
  const clock = createFakeClock()
  const options = { db, musicDir, clock, logger: pino({ level: 'silent' }), isScanning }
  const waveforms = createWaveforms(options)
  onTestFinished(() => waveforms.close())
  return { musicDir, db, clock, waveforms }
}

/** Stores tracks whose files are there, of 100 ms each. */
async function addTracks({ db, musicDir }: Awaited<ReturnType<typeof open>>, titles: string[]) {
  const tracks = titles.map((title) => ({ ...makeTrack(title, 'Ann', 'Sea'), duration: 100 }))
  await store(db, tracks)
  for (const [seed, title] of titles.entries()) {
    await db
      .updateTable('library_files')
      .set({ path: `${title}.wav` })
      .where('track_id', '=', `lib_${title}-Ann`)
      .execute()
    await writeFile(join(musicDir, `${title}.wav`), makeWav({ title, seed: seed + 1 }))
  }
}

const countMeasured = async (db: Db) =>
  (await listWaveformFiles(db, { limit: 100 })).filter((file) => file.isMeasured).length

it('17.77 the waveforms of all tracks are computed after a scan, and each only once', async () => {
  const opened = await open()
  const { db, clock, waveforms } = opened
  await addTracks(opened, ['One', 'Two', 'Three'])
  waveforms.measureAll()
  await vi.waitFor(async () => {
    clock.advance(60_000)
    expect(await countMeasured(db)).toBe(3)
  })
  const stored = await findWaveform(db, 'One-Ann')
  expect(stored?.peaks).toHaveLength(200)
  await writeFile(join(opened.musicDir, 'One.wav'), 'changed behind the back of the catalogue')
  expect(await waveforms.find({ path: 'One.wav', fingerprint: 'One-Ann' }, 100)).toEqual(stored?.peaks)
})

it('15.115 the missing ones are listed from any track on, each once', async () => {
  const opened = await open()
  await addTracks(opened, ['A', 'B', 'C', 'D', 'E'])
  await opened.waveforms.find({ path: 'B.wav', fingerprint: 'B-Ann' }, 100)
  const list = async (start: string): Promise<string> => {
    let titles = ''
    for await (const { path } of listPendingFrom(opened.db, start, 2)) titles += path.charAt(0)
    return titles
  }
  expect(await list('')).toBe('ACDE')
  expect(await list('lib_C-Ann')).toBe('DEAC')
  expect(await list('lib_Z')).toBe('ACDE')
})

it('17.77 a scan has precedence over waveforms', async () => {
  const opened = await open({ isScanning: () => true })
  await addTracks(opened, ['One'])
  opened.waveforms.measureAll()
  opened.clock.advance(60_000)
  await opened.waveforms.close()
  expect(await countMeasured(opened.db)).toBe(0)
})

it('17.77 a track that plays gets its waveform at once; one that cannot be decoded is not tried again', async () => {
  const opened = await open()
  const { db, waveforms, musicDir } = opened
  await addTracks(opened, ['One', 'Broken'])
  await writeFile(join(musicDir, 'Broken.wav'), 'no audio')
  const find = (title: string) => waveforms.find({ path: `${title}.wav`, fingerprint: `${title}-Ann` }, 100)
  const [first, second] = await Promise.all([find('One'), find('One')])
  expect(first).toHaveLength(200)
  expect(second).toEqual(first)
  expect(await find('Broken')).toBeNull()
  expect(await findWaveform(db, 'Broken-Ann')).toEqual({ peaks: null })
})

it('17.77 a file that could not be read is tried again after 5 minutes', async () => {
  const opened = await open()
  const { clock, waveforms, musicDir } = opened
  await addTracks(opened, ['One'])
  const path = join(musicDir, 'One.wav')
  await rename(path, join(musicDir, 'kept.wav'))
  await mkdir(path)
  const find = () => waveforms.find({ path: 'One.wav', fingerprint: 'One-Ann' }, 100)
  expect(await find()).toBeNull()
  await rmdir(path)
  await rename(join(musicDir, 'kept.wav'), path)
  clock.advance(299_999)
  expect(await find()).toBeNull()
  clock.advance(1)
  expect(await find()).toHaveLength(200)
})

it('17.77 a track without a duration, of another format or of many hours has none', async () => {
  const { waveforms } = await open()
  const file = { path: 'One.wav', fingerprint: 'One-Ann' }
  expect(await waveforms.find(file, null)).toBeNull()
  expect(await waveforms.find(file, 24 * 3_600_000)).toBeNull()
  expect(await waveforms.find({ ...file, path: 'One.m4a' }, 100)).toBeNull()
})
