import { makeTrack } from '@earshot/core/testing/tracks'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { addRoom } from '../../test/music-server.ts'
import { type Db, openDatabase } from './database.ts'
import { listFilesInFolders, upsertLibraryFiles } from './catalogue/library-files.ts'
import { unknownDurations } from './migrations/003-unknown-durations.ts'
import { makeFile } from './testing/library-rows.ts'
import {
  findTrack,
  findTracks,
  findTracksByIsrc,
  findTracksByTitle,
  findRoomWithTrack,
  isTrackPublic,
  upsertTracks,
} from './tracks.ts'

/** Rooms: `open` is public and plays `current`, with `queued` in its queue; `closed` is private and plays `hidden`. */
async function fill(db: Db): Promise<void> {
  const track = { artist: 'Ann', album: 'Sea', duration: 1, source: 'library' as const }
  const art = { albumArt: null, album_art: null }
  const ids = ['current', 'queued', 'hidden', 'unused']
  await upsertTracks(
    db,
    ids.map((id) => ({ ...track, ...art, id, title: id })),
    1,
  )
  await addRoom(db, 'open', { members: ['member'], current: 'current', queued: ['queued'] })
  await addRoom(db, 'closed', { isPublic: false, members: ['admitted'], current: 'hidden' })
  await addRoom(db, 'silent', { members: ['member', 'elsewhere'] })
}

describeDatabases('access to a track', (open) => {
  it('is for members of a room that plays it or has it in its queue', async () => {
    const db = await open()
    await fill(db)
    for (const [userId, trackId, isAllowed] of [
      ['member', 'current', true],
      ['member', 'queued', true],
      ['member', 'hidden', false],
      ['member', 'unused', false],
      ['member', 'unknown', false],
      ['admitted', 'hidden', true],
      ['admitted', 'current', false],
      ['admitted', 'queued', false],
      ['elsewhere', 'current', false],
      ['elsewhere', 'queued', false],
      // Owning a room does not make a user a member.
      ['owner', 'current', false],
      ['stranger', 'current', false],
    ] as const) {
      const mayHear = (await findRoomWithTrack(db, userId, trackId)) !== null
      expect([userId, trackId, mayHear]).toEqual([userId, trackId, isAllowed])
    }
  })

  it('everybody may see the cover of what a public room plays', async () => {
    const db = await open()
    await fill(db)
    const trackIds = ['current', 'queued', 'hidden', 'unused', 'unknown']
    const seen = await Promise.all(trackIds.map((trackId) => isTrackPublic(db, trackId)))
    expect(seen).toEqual([true, false, false, false, false])
  })
})

describeDatabases('the duration of a track', (open, make) => {
  it('10.12a is stored as null where it is unknown, and 180000 ms where that is measured', async () => {
    const db = await open()
    await upsertTracks(db, [makeTrack('video', 180_000, 'youtube'), makeTrack('file', 180_000)], 1)
    const rows = await db.selectFrom('tracks').select(['id', 'duration']).orderBy('id').execute()
    expect(rows).toEqual([
      { id: 'file', duration: 180_000 },
      { id: 'video', duration: null },
    ])
    expect(knownDurationMs(await findTrack(db, 'video'))).toBeNull()
    expect(knownDurationMs(await findTrack(db, 'file'))).toBe(180_000)
  })

  it('10.12a is not replaced by an unknown one', async () => {
    const db = await open()
    await upsertTracks(db, [makeTrack('video', 251_000, 'youtube')], 1)
    await upsertTracks(db, [makeTrack('video', 180_000, 'youtube')], 2)
    expect(knownDurationMs(await findTrack(db, 'video'))).toBe(251_000)
  })

  it('10.12a of a database from before is unknown where it was the sentinel', async () => {
    // Of its own, as its tables change under queries that others have used.
    const db = await openDatabase(await make())
    onTestFinished(() => db.destroy())
    const durations = { wav: 180_000, webm: 180_000, other: 200_000, video: 180_000 }
    await upsertTracks(
      db,
      Object.keys(durations).map((id) => makeTrack(id, 1, id === 'video' ? 'youtube' : 'library')),
      1,
    )
    for (const [id, duration] of Object.entries(durations)) {
      await db.updateTable('tracks').set({ duration }).where('id', '=', id).execute()
    }
    const files = ['wav', 'webm', 'other'].map((id) => ({
      ...makeFile(makeTrack(id, 1), id),
      modified_at: 5,
      mime_type: id === 'other' ? 'audio/webm' : `audio/${id}`,
    }))
    await upsertLibraryFiles(db, files)

    await unknownDurations.up(db)
    const tracks = await findTracks(db, Object.keys(durations))
    const known = Object.keys(durations).map((id) => [id, knownDurationMs(tracks.get(id) ?? null)])
    expect(Object.fromEntries(known)).toEqual({ wav: 180_000, webm: null, other: 200_000, video: null })
    const stored = await listFilesInFolders(db, [''])
    expect(stored.filter((row) => row.modified_at === 0).map((row) => row.track_id)).toEqual(['webm'])
  })
})

describeDatabases('tracks that may be the same song', (open) => {
  it('15.16 are found by code, or by a word of the title and the duration', async () => {
    const db = await open()
    const make = (id: string, title: string, duration: number) => ({
      ...makeTrack(`youtube:${id}`, duration, 'youtube'),
      title,
    })
    const isrc = 'QZEAR2500001'
    await upsertTracks(
      db,
      [
        make('a', 'HARBOUR Lights', 200_000),
        make('b', 'Harbour', 203_001),
        make('c', 'Winter', 200_000),
        make('d', 'El Corazón', 200_000),
        { ...makeTrack('lib_a', 200_000), isrc },
        { ...makeTrack('spotify:a', 200_000, 'spotify'), isrc },
      ],
      1,
    )
    const range = { source: 'youtube', fromMs: 197_000, toMs: 203_000 } as const
    const find = async (...words: string[]) =>
      (await findTracksByTitle(db, { ...range, words })).map((track) => track.id).toSorted()
    expect(await find('harbour')).toEqual(['youtube:a'])
    expect(await find('light', 'corazón')).toEqual(['youtube:a', 'youtube:d'])
    expect(await find('nothing')).toEqual([])
    const byCode = await findTracksByIsrc(db, isrc, ['library', 'youtube'])
    expect(byCode.map((track) => track.id)).toEqual(['lib_a'])
  })
})
