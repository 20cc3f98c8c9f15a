import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { idOf, titlesOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { makeWav, tinyPng } from '../../../test/wav.ts'
import { makeFile, makeTrack } from '../../db/testing/library-rows.ts'
import { findTrack } from '../../db/tracks.ts'
import { matchTracks } from './track-matching.ts'

/** A disk that ignores case finds a file under its old name as well. */
function matchOnDiskWithoutCase(path: string, listed: string[]) {
  const row = makeFile(makeTrack('One', 'Ann', 'Sea'), 'Album/one.mp3')
  const { fingerprint } = row
  const tags = { title: 'One', artist: 'Ann', album: 'Sea', albumArtist: 'Ann', year: null, discNumber: null }
  const content = {
    fingerprint,
    mimeType: '',
    tags: {
      ...tags,
      trackNumber: null,
      durationMs: 1,
      coverHash: null,
      gainDb: null,
      peak: null,
      albumGainDb: null,
      albumPeak: null,
    },
  }
  const file = { path, size: 1, modifiedAt: 1, changedAt: 1, coverPath: null, coverVersion: null }
  const options = { atPath: new Map(), related: [row], isInPlace: () => true, listed: new Set(listed) }
  return matchTracks([{ file, content }], options)
}

it('15.133 a file that is renamed in case only keeps its track, also on a disk that ignores case', () => {
  const match = matchOnDiskWithoutCase
  const trackId = makeTrack('One', 'Ann', 'Sea').id
  expect(match('Album/ONE.mp3', ['Album/ONE.mp3'])).toMatchObject([{ trackId, isCopy: false }])
  const both = ['Album/ONE.mp3', 'Album/one.mp3']
  expect(match('Album/ONE.mp3', both)).toMatchObject([{ trackId, isCopy: true }])
  expect(match('Album/two.mp3', ['Album/two.mp3'])).toMatchObject([{ trackId, isCopy: true }])
})

describeDatabases('the id of a track', (open) => {
  it('13.17 keeps the id of a renamed or moved file', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'Ann - Old Name.wav')
    await writeOldTrack(folder, 'moved/marker', { seed: 2 })
    const scan = prepareScans(db, folder)
    await scan()
    const id = await idOf(db, 'Old Name')
    await rename(join(folder, 'Ann - Old Name.wav'), join(folder, 'moved/Ann - New Name.wav'))
    expect(await scan()).toMatchObject({ storedCount: 1, missingCount: 0 })
    expect(await titlesOf(db)).toEqual(['New Name'])
    expect(await idOf(db, 'New Name')).toBe(id)
  })

  it('13.17 keeps the id of a file that is re-tagged or replaced', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeIn(folder, 'one.wav', makeWav({ title: 'Before', seed: 1, cover: tinyPng }))
    await scan()
    const id = await idOf(db, 'Before')
    const { album_art: art } = (await findTrack(db, id))!
    await writeIn(folder, 'one.wav', makeWav({ title: 'And after', seed: 2, cover: tinyPng }))
    expect(await scan()).toMatchObject({ storedCount: 1, missingCount: 0 })
    expect(await idOf(db, 'And after')).toBe(id)
    expect(await titlesOf(db)).toEqual(['And after'])
    // The cover may have changed, and browsers keep it by its address.
    expect((await findTrack(db, id))!.album_art).not.toBe(art)
  })

  it('13.18 treats copies of a file as one track while any of them exists', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'one.wav', { title: 'Same' })
    await scan()
    const id = await idOf(db, 'Same')
    await copyFile(join(folder, 'one.wav'), join(folder, 'two.wav'))
    expect(await scan()).toMatchObject({ storedCount: 0, missingCount: 0, problems: [] })
    await rm(join(folder, 'one.wav'))
    expect(await scan()).toMatchObject({ storedCount: 1, missingCount: 0 })
    expect(await titlesOf(db)).toEqual(['Same'])
    expect(await idOf(db, 'Same')).toBe(id)
  })

  it('13.17 keeps the ids of files that exchange their names, and of one that makes room for another', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    for (const [index, title] of ['One', 'Two', 'Three'].entries()) {
      await writeOldTrack(folder, `${index}.wav`, { title, seed: index, durationMs: 100 + index })
    }
    await scan()
    const idsOf = (): Promise<string[]> =>
      Promise.all(['One', 'Two', 'Three'].map((title) => idOf(db, title)))
    const ids = await idsOf()
    await rename(join(folder, '0.wav'), join(folder, 'x.wav'))
    await rename(join(folder, '1.wav'), join(folder, '0.wav'))
    await rename(join(folder, 'x.wav'), join(folder, '1.wav'))
    await rename(join(folder, '2.wav'), join(folder, '3.wav'))
    await writeOldTrack(folder, '2.wav', { title: 'New', seed: 9, durationMs: 90 })
    await scan()
    expect(await titlesOf(db)).toEqual(['New', 'One', 'Three', 'Two'])
    expect(await idsOf()).toEqual(ids)
    expect(await scan()).toMatchObject({ storedCount: 0, missingCount: 0, unchangedCount: 4 })
  })

  it('13.18 makes a copy a track of its own when the first file is re-tagged', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'one.wav', { title: 'Same' })
    await scan()
    const id = await idOf(db, 'Same')
    await copyFile(join(folder, 'one.wav'), join(folder, 'two.wav'))
    await scan()
    await writeIn(folder, 'one.wav', makeWav({ title: 'Other' }))
    expect(await scan({ mode: 'only', folders: [''] })).toMatchObject({ storedCount: 2, missingCount: 0 })
    expect(await titlesOf(db)).toEqual(['Other', 'Same'])
    expect(await idOf(db, 'Other')).toBe(id)
  })

  it('13.16 brings back a folder that was away, as the same tracks', async () => {
    const db = await open()
    const folder = await makeFolder()
    const away = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'disk/album/one.wav', { title: 'One', seed: 1 })
    await writeOldTrack(folder, 'two.wav', { title: 'Two', seed: 2 })
    await scan()
    const id = await idOf(db, 'One')
    await rename(join(folder, 'disk'), join(away, 'disk'))
    expect(await scan({ mode: 'changed' })).toMatchObject({ missingCount: 1 })
    expect(await titlesOf(db)).toEqual(['Two'])
    await rename(join(away, 'disk'), join(folder, 'disk'))
    expect(await scan({ mode: 'changed' })).toMatchObject({ storedCount: 0, unchangedCount: 2 })
    expect(await idOf(db, 'One')).toBe(id)
  })

  it('13.16 removes the tracks of a folder that was deleted while no server ran', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'a/b/one.wav', { title: 'One', seed: 1 })
    await writeOldTrack(folder, 'two.wav', { title: 'Two', seed: 2 })
    await prepareScans(db, folder)()
    await rm(join(folder, 'a'), { recursive: true })
    expect(await prepareScans(db, folder)()).toMatchObject({ missingCount: 1, unchangedCount: 1 })
    expect(await titlesOf(db)).toEqual(['Two'])
  })
})
