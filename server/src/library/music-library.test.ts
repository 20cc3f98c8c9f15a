import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { borrowDatabase, describeDatabases } from '../../test/databases.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { titlesOf, writeOldTrack } from '../../test/music.ts'
import { makeWav } from '../../test/wav.ts'
import { systemClock } from '../clock/server-clock.ts'
import type { Db } from '../db/database.ts'
import { createMusicLibrary, type MusicLibrary } from './music-library.ts'

const timings = { settleMs: 30, debounceMs: 10, retryMs: 30, rescanMs: 600_000, diskCheckMs: 20 }
const opened: MusicLibrary[] = []

/** Starts a library on a folder. Returns it with the lines of its log. */
function openLibrary(db: Db, musicDir: string) {
  const log: { msg: string; path?: string; reason?: string }[] = []
  const logger = pino({}, { write: (line: string) => log.push(JSON.parse(line)) })
  const library = createMusicLibrary({
    db,
    musicDir,
    clock: systemClock,
    logger,
    onScanned: () => undefined,
    timings,
  })
  opened.push(library)
  library.start()
  return { library, log }
}

/** Waits until the library has exactly these titles. */
async function waitForTitles(db: Db, titles: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await titlesOf(db)).toEqual(titles))
}

async function waitForAvailable(library: MusicLibrary, available: boolean): Promise<void> {
  await vi.waitFor(() => expect(library.status().available).toBe(available))
}

/** Counts the watches of this process on a folder, in all its threads. Libraries of other tests may still be closing. */
function countWatches(folder: string): number {
  const { ino } = statSync(folder)
  const lines = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n')
    } catch {
      return [] // Closed meanwhile.
    }
  })
  return lines.filter((line) => line.startsWith('inotify wd:') && line.includes(` ino:${ino.toString(16)} `))
    .length
}

// Before their databases close.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((library) => library.close()))
})

describeDatabases('the music library', (open) => {
  it('follows files as they are added, renamed, changed and removed', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeIn(folder, 'one.wav', makeWav({ title: 'One', seed: 1 }))
    const { library } = openLibrary(db, folder)
    await waitForTitles(db, ['One'])
    await writeIn(folder, 'deep/er/two.wav', makeWav({ seed: 2 }))
    await waitForTitles(db, ['One', 'two'])
    await rename(join(folder, 'deep/er/two.wav'), join(folder, 'deep/three.wav'))
    await waitForTitles(db, ['One', 'three'])
    await writeIn(folder, 'one.wav', makeWav({ title: 'Other', seed: 3 }))
    await waitForTitles(db, ['Other', 'three'])
    await rm(join(folder, 'deep'), { recursive: true })
    await waitForTitles(db, ['Other'])
    expect(library.problems()).toEqual([])
  })

  it('is scanning until the catalogue matches the folder', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeIn(folder, 'one.wav', makeWav({ title: 'One' }))
    const { library } = openLibrary(db, folder)
    expect(library.isScanning()).toBe(true)
    await vi.waitFor(() => expect(library.isScanning()).toBe(false))
    expect(await titlesOf(db)).toEqual(['One'])
  })

  it('has the stored catalogue immediately after a restart', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', { title: 'One' })
    const first = openLibrary(db, folder)
    await waitForTitles(db, ['One'])
    await first.library.close()
    const { library } = openLibrary(db, folder)
    expect(library.status()).toEqual({ source: 'library', available: true, reason: null })
    expect(await titlesOf(db)).toEqual(['One'])
  })

  it('stops during a scan and keeps the tracks found so far', async () => {
    const db = await open()
    const folder = await makeFolder()
    for (let index = 0; index < 200; index += 1) {
      await writeOldTrack(folder, `${index}.wav`, { title: `Track ${index}`, seed: index })
    }
    const { library } = openLibrary(db, folder)
    await vi.waitFor(async () => expect(await titlesOf(db)).not.toEqual([]), { interval: 1 })
    await library.close()
    const kept = await titlesOf(db)
    expect(kept.length).toBeGreaterThan(0)
    await openLibrary(db, folder).library.rescan()
    expect(await titlesOf(db)).toHaveLength(200)
  })
})

describe('the music library, whatever its database', () => {
  it('15.121 is not scanning for ever while a recorder writes into the folder', async () => {
    const db = await borrowDatabase()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', { title: 'One' })
    await writeIn(folder, 'recording.wav', makeWav({ title: 'Recording', seed: 2 }))
    const clock = createFakeClock(Math.ceil(Date.now() / 1_000) * 1_000)
    let scannedCount = 0
    const library = createMusicLibrary({
      db,
      musicDir: folder,
      clock,
      logger: pino({ level: 'silent' }),
      onScanned: () => void (scannedCount += 1),
      timings: { settleMs: 5_000, debounceMs: 10 },
    })
    opened.push(library)
    const recordFor = async (seconds: number): Promise<void> => {
      for (const untilMs = clock.now() + seconds * 1_000; clock.now() < untilMs; clock.advance(2_000)) {
        await utimes(join(folder, 'recording.wav'), clock.now() / 1_000, clock.now() / 1_000)
        await library.rescan()
      }
    }
    await recordFor(20)
    expect([library.isScanning(), scannedCount]).toEqual([true, 0])
    await recordFor(20)
    expect([library.isScanning(), scannedCount]).toEqual([false, 1])
    expect(await titlesOf(db)).toEqual(['One'])
    clock.advance(5_000)
    await library.rescan()
    expect(await titlesOf(db)).toEqual(['One', 'Recording'])
    expect(scannedCount).toBeGreaterThan(1)
  })

  it('reports each broken file once', async () => {
    const db = await borrowDatabase()
    const folder = await makeFolder()
    await writeIn(folder, 'empty.mp3', '')
    await writeIn(folder, 'page.flac', '<!doctype html>')
    const { library, log } = openLibrary(db, folder)
    await vi.waitFor(() => expect(library.problems()).toHaveLength(2))
    await library.rescan()
    await library.rescan()
    expect(library.problems().map((problem) => problem.path)).toEqual(['empty.mp3', 'page.flac'])
    expect(log.filter((line) => line.msg === 'File left out of the library')).toEqual([
      expect.objectContaining({ path: 'empty.mp3', reason: 'The file is empty' }),
      expect.objectContaining({ path: 'page.flac', reason: expect.stringContaining('Damaged') }),
    ])
  })

  it('17.193 logs at most 200 broken files of a scan, and how many others there are', async () => {
    const db = await borrowDatabase()
    const folder = await makeFolder()
    for (let number = 0; number < 203; number += 1) await writeIn(folder, `${number}.mp3`, '')
    const { library, log } = openLibrary(db, folder)
    await vi.waitFor(() => expect(library.problems()).toHaveLength(203))
    expect(log.filter((line) => line.msg === 'File left out of the library')).toHaveLength(200)
    expect(log).toContainEqual(
      expect.objectContaining({ msg: 'Further files left out of the library', count: 3 }),
    )
  })

  it('explains what to do while the folder is missing, and scans it when it appears', async () => {
    const db = await borrowDatabase()
    const parent = await makeFolder()
    const folder = join(parent, 'music')
    const { library, log } = openLibrary(db, folder)
    await waitForAvailable(library, false)
    const reason = 'The music folder does not exist. Create it, or set MUSIC_DIR to a folder with music.'
    expect(library.status()).toEqual({ source: 'library', available: false, reason })

    await writeIn(folder, 'one.wav', makeWav({ title: 'One' }))
    await waitForTitles(db, ['One'])
    await waitForAvailable(library, true)

    await rename(folder, join(parent, 'away'))
    await waitForAvailable(library, false)
    // The catalogue is kept: the disk may be mounted again.
    expect(await titlesOf(db)).toEqual(['One'])
    await rename(join(parent, 'away'), folder)
    await waitForAvailable(library, true)
    expect(log.filter((line) => line.msg === reason)).toHaveLength(2)
  })

  it('17.110 notices that the disk is gone, though nothing in the folder changed, and that it is back', async () => {
    const db = await borrowDatabase()
    const parent = await makeFolder()
    const folder = join(parent, 'disk/music')
    await writeIn(folder, 'one.wav', makeWav({ title: 'One' }))
    const { library } = openLibrary(db, folder)
    await waitForTitles(db, ['One'])
    await waitForAvailable(library, true)
    // The folder itself does not change, as where a disk is unmounted outside of a container.
    await rename(join(parent, 'disk'), join(parent, 'away'))
    await waitForAvailable(library, false)
    expect(library.status().reason).toMatch(/does not exist/)
    expect(await titlesOf(db)).toEqual(['One'])
    await rename(join(parent, 'away'), join(parent, 'disk'))
    await waitForAvailable(library, true)
  })

  it('watches nothing while the folder is missing, and the folder while it exists', async () => {
    const db = await borrowDatabase()
    const parent = await makeFolder()
    const folder = join(parent, 'music')
    const { library } = openLibrary(db, folder)
    await waitForAvailable(library, false)
    expect(countWatches(parent)).toBe(0)

    await writeIn(folder, 'one.wav', makeWav({ title: 'One' }))
    await vi.waitFor(() => expect(countWatches(folder)).toBe(1))
    await waitForTitles(db, ['One'])
    await rename(folder, join(parent, 'away'))
    await vi.waitFor(() => expect(countWatches(join(parent, 'away'))).toBe(0))
    expect(countWatches(parent)).toBe(0)
    await rename(join(parent, 'away'), folder)
    await waitForAvailable(library, true)
    await rm(join(folder, 'one.wav'))
    await waitForTitles(db, [])
  })

  it('reports a path that is not a folder', async () => {
    const db = await borrowDatabase()
    const folder = await makeFolder()
    await writeIn(folder, 'file', 'x')
    const { library } = openLibrary(db, join(folder, 'file'))
    await waitForAvailable(library, false)
    expect(library.status().reason).toMatch(/is not a folder.*MUSIC_DIR/)
  })
})
