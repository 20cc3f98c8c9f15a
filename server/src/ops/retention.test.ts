import { readdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { describeDatabases, makeDataFolder } from '../../test/databases.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import type { Db } from '../db/database.ts'
import { upsertLibraryFiles } from '../db/catalogue/library-files.ts'
import { upsertAlbumsAndArtists } from '../db/catalogue/library-albums-artists.ts'
import { insertPlayed, listPlayed } from '../db/queue-history.ts'
import { makeFile } from '../db/testing/library-rows.ts'
import { upsertTracks } from '../db/tracks.ts'
import { insertWaveform } from '../db/catalogue/waveforms.ts'
import { newSortableId } from '../ids.ts'
import { initialPlaybackColumns } from '../rooms/store/stored-room.ts'
import { startRetention, sweepOnce } from './retention.ts'

const silent = pino({ level: 'silent' })
const dayMs = 24 * 60 * 60 * 1_000
const nothing = { messagesMs: null, historyMs: null, idleRoomsMs: null, outboxMs: null }

async function insertRoom(db: Db, id: string, atMs: number): Promise<void> {
  const row = { id, name: id, owner_id: 'ann', is_public: 1, password: null, preferred_source: 'library' }
  const rest = { created_at: atMs, settings: '{}', controller_id: null, search_text: id }
  await db
    .insertInto('rooms')
    .values({ ...row, ...initialPlaybackColumns(atMs), ...rest })
    .execute()
}

async function insertMessages(db: Db, roomId: string, count: number, atMs: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newSortableId(atMs + n),
    room_id: roomId,
    user_id: 'ann',
    content: 'Hello',
    created_at: atMs + n,
  }))
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto('messages')
      .values(rows.slice(at, at + 500))
      .execute()
}

async function readIds(db: Db, table: 'rooms' | 'messages'): Promise<string[]> {
  return (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
}

/** Stores as many files, each of an album and an artist of this name, as a scan does. */
async function storeTagged(db: Db, names: string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const track = makeTrack(`file ${index}`)
    const [albumId, artistId] = [`album-${name}`, `artist-${name}`]
    const artist = { id: artistId, name, sort_text: name, search_text: name }
    const titles = { title: name, artist: name, sort_text: name, release_text: name, search_text: name }
    const place = {
      trackId: track.id,
      artist,
      album: { id: albumId, artist_id: artistId, year: null, ...titles },
    }
    const fingerprint = `${name} ${index}`
    await upsertTracks(db, [track], 1)
    await upsertAlbumsAndArtists(db, [place], 1)
    await upsertLibraryFiles(db, [
      { ...makeFile(track), fingerprint, album_id: albumId, artist_id: artistId },
    ])
    await insertWaveform(db, fingerprint, [1])
  }
}

describeDatabases('retention', (open) => {
  it('16.52 keeps everything unless a setting says otherwise', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await insertRoom(db, 'old', clock.now() - 1_000 * dayMs)
    await insertMessages(db, 'old', 1, clock.now() - 1_000 * dayMs)
    expect(await sweepOnce({ db, clock, dataDir, retention: nothing, logger: silent })).toEqual({
      messages: 0,
      played: 0,
      rooms: 0,
      mails: 0,
      leftovers: 0,
    })
    expect(await readIds(db, 'messages')).toHaveLength(1)
  })

  it('16.52 deletes old tracks from the histories of rooms', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await insertRoom(db, 'room', clock.now())
    await upsertTracks(db, [makeTrack('t1')], clock.now())
    for (const days of [40, 31, 29, 0]) {
      const playedAt = clock.now() - days * dayMs
      const id = newSortableId(playedAt)
      const row = { id, room_id: 'room', track_id: 't1', added_by: null, played_at: playedAt }
      await insertPlayed(db, row, 100)
    }
    const retention = { ...nothing, historyMs: 30 * dayMs }
    expect(await sweepOnce({ db, clock, dataDir, retention, logger: silent })).toMatchObject({ played: 2 })
    const kept = await listPlayed(db, 'room', { beforeId: null, limit: 10 })
    expect(kept.map((played) => (clock.now() - played.played_at) / dayMs)).toEqual([0, 29])
  })

  it('16.52, 16.261 deletes old messages until none is left', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await insertRoom(db, 'room', clock.now())
    await insertMessages(db, 'room', 20_100, clock.now() - 40 * dayMs)
    await insertMessages(db, 'room', 3, clock.now() - 20 * dayMs)
    const retention = { ...nothing, messagesMs: 30 * dayMs }
    const parts = { db, clock, dataDir, retention, logger: silent }
    expect(await sweepOnce(parts)).toMatchObject({ messages: 20_100 })
    expect(await readIds(db, 'messages')).toHaveLength(3)
  })

  it('16.261 ends a sweep where the server closes', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await insertRoom(db, 'room', clock.now())
    await insertMessages(db, 'room', 2_000, clock.now() - 40 * dayMs)
    const retention = { ...nothing, messagesMs: 30 * dayMs }
    const stop = startRetention({ db, clock, dataDir, retention, logger: silent })
    clock.advance(60_000)
    await stop()
    expect((await readIds(db, 'messages')).length).toBeGreaterThan(0)
  })

  it('16.52 deletes rooms that are idle for long enough: without members, music and messages', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    const oldMs = clock.now() - 100 * dayMs
    for (const id of ['empty', 'with-member', 'with-message']) await insertRoom(db, id, oldMs)
    await insertRoom(db, 'young', clock.now() - 10 * dayMs)
    await db
      .insertInto('user_rooms')
      .values({ room_id: 'with-member', user_id: 'ann', joined_at: oldMs })
      .execute()
    await insertMessages(db, 'with-message', 1, clock.now() - dayMs)
    await insertMessages(db, 'empty', 1, oldMs)
    const retention = { ...nothing, idleRoomsMs: 90 * dayMs }
    expect(await sweepOnce({ db, clock, dataDir, retention, logger: silent })).toMatchObject({ rooms: 1 })
    expect(await readIds(db, 'rooms')).toEqual(['with-member', 'with-message', 'young'])
    expect(await readIds(db, 'messages')).toHaveLength(1)
  })

  it('17.475 deletes the queue entries that can no longer be put back', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await insertRoom(db, 'room', clock.now())
    await upsertTracks(db, [makeTrack('a')], 1)
    const entry = { room_id: 'room', track_id: 'a', position: 0, added_by: null, removal_id: 'clearing' }
    const removedAt = (ids: string[], removed_at: number) =>
      ids.map((entry_id) => ({ ...entry, entry_id, removed_at }))
    const old = Array.from({ length: 1_001 }, (_none, index) => `old ${index}`)
    for (const part of [old.slice(0, 600), old.slice(600)])
      await db
        .insertInto('removed_entries')
        .values(removedAt(part, clock.now() - 60_001))
        .execute()
    await db
      .insertInto('removed_entries')
      .values(removedAt(['young'], clock.now() - 1_000))
      .execute()
    const parts = { db, clock, dataDir, retention: nothing, logger: silent }
    expect(await sweepOnce(parts)).toMatchObject({ leftovers: 1_001 })
    expect(await db.selectFrom('removed_entries').select('entry_id').execute()).toEqual([
      { entry_id: 'young' },
    ])
  })

  it('16.297 deletes albums, artists and waveforms that no file refers to any more', async () => {
    const [db, clock, dataDir] = [await open(), createFakeClock(), await makeFolder()]
    await storeTagged(db, ['Kept', 'Kepd', 'Away'])
    // New tags: a file has other bytes, and another place.
    await storeTagged(db, ['Kept', 'Kept', 'Away'])
    await db
      .updateTable('library_files')
      .set({ missing_since: clock.now() })
      .where('album_id', '=', 'album-Away')
      .execute()
    const parts = { db, clock, dataDir, retention: nothing, logger: silent }
    expect(await sweepOnce(parts)).toMatchObject({ leftovers: 3 })
    const albums = await db.selectFrom('library_albums').select('id').orderBy('id').execute()
    const artists = await db.selectFrom('library_artists').select('id').orderBy('id').execute()
    const waveforms = await db.selectFrom('library_waveforms').select('fingerprint').execute()
    expect(albums.map(({ id }) => id)).toEqual(['album-Away', 'album-Kept'])
    expect(artists.map(({ id }) => id)).toEqual(['artist-Away', 'artist-Kept'])
    expect(waveforms.map(({ fingerprint }) => fingerprint).toSorted()).toEqual(['Away 2', 'Kept 0', 'Kept 1'])
    expect(await sweepOnce(parts)).toMatchObject({ leftovers: 0 })
  })
})

it('16.52 deletes old mails of the outbox', async () => {
  const dataDir = await makeDataFolder()
  const clock = createFakeClock(Date.now())
  for (const name of ['old.eml', 'new.eml', 'old.txt']) await writeIn(dataDir, `outbox/${name}`, 'mail')
  const oldS = Date.now() / 1_000 - 10 * 24 * 60 * 60
  for (const name of ['old.eml', 'old.txt']) await utimes(join(dataDir, 'outbox', name), oldS, oldS)
  // Is listed and cannot be found, as one that is deleted meanwhile.
  await symlink('nowhere', join(dataDir, 'outbox', 'gone.eml'))
  await startApp({ dataDir, clock, variables: { KEEP_OUTBOX_DAYS: '7' } })
  clock.advance(60_000)
  const kept = ['gone.eml', 'new.eml', 'old.txt']
  await vi.waitFor(async () => expect(await readdir(join(dataDir, 'outbox'))).toEqual(kept))
})
