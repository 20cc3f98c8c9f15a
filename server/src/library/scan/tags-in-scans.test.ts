import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { idOf, titlesOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { addRoom } from '../../../test/music-server.ts'
import { listAlbumsByTitle, listAlbumTracks, listRecentAlbums } from '../../db/catalogue/library-browse.ts'
import { listQueue } from '../../db/room-queues.ts'
import { findRoom } from '../../db/rooms.ts'
import { findTrack } from '../../db/tracks.ts'

describeDatabases('a scan of tags', (open) => {
  it('15.122 reads new tags of a file whose size and modification time stayed', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'one.wav', { title: 'Title A' })
    await scan()
    const id = await idOf(db, 'Title A')
    const { mtimeMs, ctimeMs } = await stat(join(folder, 'one.wav'))
    await expect
      .poll(async () => {
        await writeOldTrack(folder, 'one.wav', { title: 'Title B' })
        return (await stat(join(folder, 'one.wav'))).ctimeMs
      })
      .toBeGreaterThanOrEqual(ctimeMs + 1)
    expect((await stat(join(folder, 'one.wav'))).mtimeMs).toBe(mtimeMs)
    expect(await scan()).toMatchObject({ storedCount: 1, unchangedCount: 0 })
    expect(await titlesOf(db)).toEqual(['Title B'])
    expect(await idOf(db, 'Title B')).toBe(id)
  })

  it('15.122 reads no file for ever whose change time is another on the mount of another process', async () => {
    const db = await open()
    const folders = [await makeFolder(), await makeFolder()]
    const scans = folders.map((folder) => prepareScans(db, folder))
    const write = async (title: string) => {
      const ctimes: number[] = []
      for (const folder of folders) {
        await vi.waitFor(async () => {
          await writeOldTrack(folder, 'one.wav', { title })
          const { ctimeMs } = await stat(join(folder, 'one.wav'))
          expect(ctimes).not.toContain(Math.floor(ctimeMs))
          ctimes.push(Math.floor(ctimeMs))
        })
      }
    }
    const scanBoth = async () => {
      let storedCount = 0
      for (const scan of scans) storedCount += (await scan()).storedCount
      return storedCount
    }
    await write('Title A')
    for (let round = 0; round < 2; round += 1) await scanBoth()
    expect(await scanBoth()).toBe(0)
    await write('Title B')
    expect(await scanBoth()).toBeGreaterThan(0)
    expect(await titlesOf(db)).toEqual(['Title B'])
    await scanBoth()
    expect(await scanBoth()).toBe(0)
  })

  it('15.125 puts tracks that state no disc among those of the first disc', async () => {
    const db = await open()
    const folder = await makeFolder()
    const place = { artist: 'Ann', album: 'Sea' }
    for (const [seed, track] of ['2', '1', '3'].entries())
      await writeOldTrack(folder, `${track}.wav`, { ...place, title: `Title ${track}`, track, seed })
    await prepareScans(db, folder)()
    const bonus = await idOf(db, 'Title 1')
    await db.updateTable('library_files').set({ disc_number: 1 }).where('track_id', '=', bonus).execute()
    const [album] = await listAlbumsByTitle(db, { after: null, limit: 9 })
    const rows = await listAlbumTracks(db, album!.id, { after: null, limit: 9 })
    expect(rows.map(({ track }) => track.title)).toEqual(['Title 1', 'Title 2', 'Title 3'])
  })
  it('15.136 keeps an album among those of its time that gets another title', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    const albumsLatestFirst = async () => (await listRecentAlbums(db, 9)).map(({ title }) => title)
    await writeOldTrack(folder, 'one.wav', { title: 'One', artist: 'Ann', album: 'Old' })
    await scan()
    await writeOldTrack(folder, 'two.wav', { title: 'Two', artist: 'Ann', album: 'New', seed: 2 })
    await scan()
    expect(await albumsLatestFirst()).toEqual(['New', 'Old'])
    await writeOldTrack(folder, 'one.wav', { title: 'One', artist: 'Ann', album: 'Old, remastered' })
    await scan()
    expect(await albumsLatestFirst()).toEqual(['New', 'Old, remastered'])
  })

  it('17.485 gives the loudness that a file states to rooms and queues, as long as it states it', async () => {
    const db = await open()
    const folder = await makeFolder()
    const scan = prepareScans(db, folder)
    await writeOldTrack(folder, 'one.wav', {
      title: 'One',
      frames: [
        ['TXXX', 'REPLAYGAIN_TRACK_GAIN\0-7.54 dB'],
        ['TXXX', 'REPLAYGAIN_TRACK_PEAK\x000.988553'],
        ['TXXX', 'REPLAYGAIN_ALBUM_GAIN\0-6.1 dB'],
        ['TXXX', 'REPLAYGAIN_ALBUM_PEAK\x001.02'],
      ],
    })
    await scan()
    const id = await idOf(db, 'One')
    await addRoom(db, 'r', { members: ['ann'], current: id, queued: [id] })
    const stated = { gain_db: -7.54, peak: 0.988553, album_gain_db: -6.1, album_peak: 1.02 }
    expect((await findRoom(db, 'r'))?.track).toMatchObject(stated)
    expect(await listQueue(db, 'r')).toMatchObject([stated])
    await writeOldTrack(folder, 'one.wav', { title: 'One' })
    await scan()
    const track = await findTrack(db, id)
    expect(track).toMatchObject({ title: 'One' })
    for (const name of Object.keys(stated)) expect(track).not.toHaveProperty(name)
  })
})
