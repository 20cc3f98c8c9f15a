import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import {
  findLibraryFile,
  listFilesInFolders,
  markLibraryFilesMissing,
  upsertLibraryFiles,
} from './library-files.ts'
import { makeFile, makeTrack, store } from '../testing/library-rows.ts'
import { findTrack } from '../tracks.ts'

describeDatabases('library files', (open) => {
  it('are read as stored, including sizes over 2 GB', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    expect(await findLibraryFile(db, track.id)).toEqual(makeFile(track))
    expect(await listFilesInFolders(db, [''])).toEqual([makeFile(track)])
    expect(await findLibraryFile(db, 'lib_unknown')).toBeNull()
  })

  it('are one per track: a moved file is updated', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    const moved = { ...makeFile(track, 'moved.mp3'), has_art: 1, cover_path: 'cover.jpg' }
    await upsertLibraryFiles(db, [moved])
    expect(await listFilesInFolders(db, [''])).toEqual([moved])
  })

  it('15.114 do not go missing where another process has stored them elsewhere', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    const moved = makeFile(track, 'moved.mp3')
    await upsertLibraryFiles(db, [moved])
    await markLibraryFilesMissing(db, [makeFile(track)], 5)
    // The place where the scan missed another track is where this one is now.
    await markLibraryFilesMissing(db, [makeFile(track), { track_id: 'lib_other', path: moved.path }], 5)
    expect(await findLibraryFile(db, track.id)).toEqual(moved)
  })

  it('go missing without their tracks, which queues may still contain', async () => {
    const db = await open()
    const tracks = [makeTrack('Blue', 'Ann', 'Sea'), makeTrack('Red', 'Ann', 'Sea')]
    await store(db, tracks)
    await markLibraryFilesMissing(db, [makeFile(tracks[0]!), { track_id: 'lib_unknown', path: 'x.mp3' }], 5)
    const present = (await listFilesInFolders(db, [''])).filter((file) => file.missing_since === null)
    expect(present.map((file) => file.track_id)).toEqual([tracks[1]!.id])
    expect(await findTrack(db, tracks[0]!.id)).toEqual(tracks[0])
    expect(await findLibraryFile(db, tracks[0]!.id)).toBeNull()
  })
})
