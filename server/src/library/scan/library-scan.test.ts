import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { idOf, makeOld, titlesOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { makeWav, tinyPng } from '../../../test/wav.ts'
import { WorkerTimeoutError } from '../../async/worker-calls.ts'
import { searchLibraryFiles } from '../../db/catalogue/library-search.ts'
import { findTrack } from '../../db/tracks.ts'

describeDatabases('a scan of the music folder', (open) => {
  it('7.4 stores each track that it finds', async () => {
    const db = await open()
    const folder = await makeFolder()
    const tags = { title: 'Blue', artist: 'Ann', album: 'Sea', durationMs: 250 }
    await writeIn(folder, 'a/b/one.wav', makeWav({ ...tags, cover: tinyPng }))
    expect(await prepareScans(db, folder)()).toMatchObject({ storedCount: 1, missingCount: 0, problems: [] })
    const id = await idOf(db, 'Blue')
    const art = expect.stringMatching(new RegExp(`^/api/tracks/${id}/art\\?v=\\w+`))
    expect(await findTrack(db, id)).toEqual({
      id,
      title: 'Blue',
      artist: 'Ann',
      album: 'Sea',
      duration: 250,
      source: 'library',
      albumArt: art,
      album_art: art,
      url: null,
      uri: null,
    })
  })

  it('accepts tags of any length and script', async () => {
    const db = await open()
    const folder = await makeFolder()
    // Without a pattern: compressed, it could fit into an index entry after all.
    const long = (seed: number): string =>
      Array.from({ length: 700 }, (_, index) =>
        String.fromCodePoint(0x4e00 + (((index + 1) * seed * 7_919) % 20_000)),
      ).join('')
    await writeIn(folder, 'one.wav', makeWav({ title: long(3), artist: long(5), album: long(7) }))
    await prepareScans(db, folder)()
    expect(await titlesOf(db)).toEqual([long(3).slice(0, 500)])
    const words = [long(5).slice(0, 40), long(7).slice(100, 140)]
    const { total } = await searchLibraryFiles(
      db,
      { phrase: words.join(' '), words },
      { offset: 0, limit: 9 },
    )
    expect(total).toBe(1)
  })

  it.each(['here.wav', 'new/here.wav'])(
    '15.114 keeps a file that another process finds at %s while a slower scan misses it where it was',
    async (place) => {
      const db = await open()
      const folder = await makeFolder()
      await writeOldTrack(folder, 'one.wav', { title: 'One' })
      await writeOldTrack(folder, 'two.wav', { title: 'Two', seed: 2 })
      await prepareScans(db, folder)()
      await rm(join(folder, 'one.wav'))
      let steps = 0
      const slower = prepareScans(db, folder, {
        afterStep: async () => {
          steps += 1
          // Then it has missed the file, and looks whether the disk is still there.
          if (steps !== 2) return
          await writeOldTrack(folder, place, { title: 'One' })
          await prepareScans(db, folder)()
        },
      })
      await slower()
      expect(steps).toBe(2)
      expect(await titlesOf(db)).toEqual(['One', 'Two'])
    },
  )

  it('removes deleted files, but keeps their tracks, which queues may contain', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', { title: 'One', seed: 1 })
    await writeOldTrack(folder, 'two.wav', { title: 'Two', seed: 2 })
    const scan = prepareScans(db, folder)
    await scan()
    const id = await idOf(db, 'One')
    await rm(join(folder, 'one.wav'))
    expect(await scan()).toMatchObject({ storedCount: 0, missingCount: 1, unchangedCount: 1 })
    expect(await titlesOf(db)).toEqual(['Two'])
    expect(await findTrack(db, id)).toMatchObject({ title: 'One' })
  })

  it('10.14c leaves a file out that exhausts the memory of the thread, and keeps the others', async () => {
    const db = await open()
    const folder = await makeFolder()
    for (const seed of [1, 2, 3]) await writeOldTrack(folder, `${seed}.wav`, { title: `Title ${seed}`, seed })
    const outOfMemory = Object.assign(new Error('Out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
    const scan = prepareScans(db, folder, {
      failOn: (paths) => (paths.includes('2.wav') ? outOfMemory : null),
    })
    const problems = [{ path: '2.wav', reason: 'Reading it takes too much memory' }]
    expect(await scan()).toMatchObject({ storedCount: 2, problems })
    expect(await titlesOf(db)).toEqual(['Title 1', 'Title 3'])
    expect(await scan()).toMatchObject({ storedCount: 0, unchangedCount: 2, problems })
  })

  it('16.170 leaves a file out that takes too long to read, until a later scan, and keeps those behind it', async () => {
    const db = await open()
    const folder = await makeFolder()
    // More folders than are listed in one step, and more files than are read at once.
    const titles = Array.from({ length: 60 }, (_, index) => `Title ${index}`).toSorted()
    for (const [seed, title] of titles.entries()) {
      await writeOldTrack(folder, `${title}/one.wav`, { title, seed })
    }
    const slow = 'Title 30'
    let isSlow = true
    const scan = prepareScans(db, folder, {
      failOn: (paths) =>
        isSlow && paths.includes(`${slow}/one.wav`) ? new WorkerTimeoutError('too long') : null,
    })
    const problems = [{ path: `${slow}/one.wav`, reason: 'Reading it takes too long, as on a slow disk' }]
    expect(await scan()).toMatchObject({ storedCount: 59, problems })
    expect(await titlesOf(db)).toEqual(titles.filter((title) => title !== slow))
    isSlow = false
    expect(await scan()).toMatchObject({ storedCount: 1, unchangedCount: 59, problems: [] })
  })

  it('16.170 blames no file for a disk that hangs', async () => {
    const db = await open()
    const folder = await makeFolder()
    for (const seed of [1, 2]) await writeOldTrack(folder, `${seed}.wav`, { title: `Title ${seed}`, seed })
    const failure = new WorkerTimeoutError('too long')
    let [isHanging, readCount] = [false, 0]
    const scan = prepareScans(db, folder, {
      failOn: () => {
        isHanging = true
        readCount += 1
        return failure
      },
      failDisk: () => (isHanging ? failure : null),
    })
    await expect(scan()).rejects.toBe(failure)
    expect(readCount).toBe(1)
  })

  it('13.19 does not read unchanged files again', async () => {
    const db = await open()
    const folder = await makeFolder()
    const read: string[] = []
    const scan = prepareScans(db, folder, {
      failOn: (paths) => {
        read.push(...paths)
        return null
      },
    })
    await writeOldTrack(folder, 'one.wav', { title: 'Title A' })
    await scan()
    expect(await scan()).toMatchObject({ storedCount: 0, unchangedCount: 1 })
    expect(read).toEqual(['one.wav'])
  })

  it('skips a file that is being written, and reads it when it is complete', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    const whole = makeWav({ title: 'Long', durationMs: 60_000 })
    await writeIn(folder, 'long.wav', whole.subarray(0, 30_000))
    expect(await scan({ settleMs: 60_000 })).toMatchObject({
      storedCount: 0,
      unsettledFolders: [''],
      problems: [],
    })
    await writeIn(folder, 'long.wav', whole)
    expect(await scan({ settleMs: 60_000 })).toMatchObject({
      storedCount: 0,
      unsettledFolders: [''],
      problems: [],
    })
    await makeOld(join(folder, 'long.wav'))
    expect(await scan({ settleMs: 60_000 })).toMatchObject({
      storedCount: 1,
      unsettledFolders: [],
      problems: [],
    })
    expect(await findTrack(db, await idOf(db, 'Long'))).toMatchObject({ duration: 60_000 })
  })

  it('skips broken files with a reason, does not read them again, and adds them once repaired', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'fine.wav', { title: 'Fine' })
    await writeIn(folder, 'empty.mp3', '')
    const broken = Buffer.from(makeWav({ title: 'Mended', seed: 9 }))
    broken.write('junk')
    await writeIn(folder, 'mend.wav', broken)
    await makeOld(join(folder, 'mend.wav'))
    const problems = [
      { path: 'empty.mp3', reason: 'The file is empty' },
      { path: 'mend.wav', reason: expect.stringContaining('No audio') },
    ]
    expect(await scan()).toMatchObject({ storedCount: 1, problems })
    expect(await scan()).toMatchObject({ storedCount: 0, problems })
    await writeIn(folder, 'mend.wav', makeWav({ title: 'Mended', seed: 9 }))
    await rm(join(folder, 'empty.mp3'))
    expect(await scan()).toMatchObject({ storedCount: 1, problems: [] })
    expect(await titlesOf(db)).toEqual(['Fine', 'Mended'])
  })

  it('uses the cover image in the folder while it exists', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'album/one.wav', { title: 'One' })
    await scan()
    const id = await idOf(db, 'One')
    const art = expect.stringContaining(`/api/tracks/${id}/art?v=`)
    expect(await findTrack(db, id)).toMatchObject({ albumArt: null, album_art: null })
    await writeIn(folder, 'album/cover.png', tinyPng)
    await scan()
    expect(await findTrack(db, id)).toMatchObject({ title: 'One', albumArt: art, album_art: art })
    await rm(join(folder, 'album/cover.png'))
    await scan()
    expect(await findTrack(db, id)).toMatchObject({ albumArt: null, album_art: null })
  })

  it('can run on several servers at the same time', async () => {
    const db = await open()
    const folder = await makeFolder()
    const fileCount = 60 // more than are read at once
    for (let index = 0; index < fileCount; index += 1) {
      await writeOldTrack(folder, `${index}.wav`, { title: `Track ${index}`, seed: index })
    }
    const reports = await Promise.all([1, 2, 3].map(() => prepareScans(db, folder)()))
    expect(reports.map((report) => [report.missingCount, report.problems])).toEqual([
      [0, []],
      [0, []],
      [0, []],
    ])
    expect(await titlesOf(db)).toHaveLength(fileCount)
  })

  it('13.19 of some folders finds what is in them and below them, and leaves the others alone', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'a/one.wav', { title: 'One', seed: 1 })
    await writeOldTrack(folder, 'b/two.wav', { title: 'Two', seed: 2 })
    await scan()
    await writeOldTrack(folder, 'a/new/three.wav', { title: 'Three', seed: 3 })
    await rm(join(folder, 'a/one.wav'))
    await rm(join(folder, 'b/two.wav'))
    expect(await scan({ mode: 'only', folders: ['a'] })).toMatchObject({ storedCount: 1, missingCount: 1 })
    expect(await titlesOf(db)).toEqual(['Three', 'Two'])
  })

  it('13.24 leaves the catalogue unchanged where the folder is empty, as if its disk was not mounted', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', { title: 'One' })
    await prepareScans(db, folder)()
    await rm(join(folder, 'one.wav'))
    const scan = prepareScans(db, folder)
    await expect(scan()).rejects.toMatchObject({ code: 'EMPTY' })
    expect(await titlesOf(db)).toEqual(['One'])
    await writeOldTrack(folder, 'two.wav', { title: 'Two', seed: 2 })
    await scan()
    expect(await titlesOf(db)).toEqual(['Two'])
    // The same folder, now seen with files, was really emptied.
    await rm(join(folder, 'two.wav'))
    expect(await scan()).toMatchObject({ missingCount: 1 })
  })

  it('leaves the catalogue unchanged where the folder cannot be read', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'one.wav', { title: 'One' })
    await scan()
    await rm(folder, { recursive: true })
    await expect(scan()).rejects.toMatchObject({ name: 'MusicFolderError', code: 'ENOENT' })
    expect(await titlesOf(db)).toEqual(['One'])
  })

  it('16.125 leaves the catalogue unchanged where the disk goes away during the scan', async () => {
    const db = await open()
    const folder = join(await makeFolder(), 'disk')
    // More folders than are listed in one step.
    const paths = Array.from({ length: 60 }, (_, index) => `album-${index}/one.wav`)
    for (const [seed, path] of paths.entries()) await writeOldTrack(folder, path, { title: path, seed })
    await prepareScans(db, folder)()
    const scan = prepareScans(db, folder, {
      afterStep: () => rename(folder, `${folder}-away`).catch(() => {}),
    })
    await expect(scan()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await titlesOf(db)).toEqual(paths.toSorted())
  })
})
