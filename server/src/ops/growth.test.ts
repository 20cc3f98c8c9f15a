import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock, type FakeClock } from '@earshot/core/testing/fake-clock'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { createServerInvite } from '../db/server-invites.ts'
import { startSweeping } from '../auth/sweep.ts'
import { type Db, engineOf } from '../db/database.ts'
import { upsertLibraryFiles } from '../db/catalogue/library-files.ts'
import { insertProfile } from '../db/profiles.ts'
import { insertPlayed } from '../db/queue-history.ts'
import { makeFile, makeTrack } from '../db/testing/library-rows.ts'
import { upsertTracks } from '../db/tracks.ts'
import { insertWaveform } from '../db/catalogue/waveforms.ts'
import { newId, newSortableId } from '../ids.ts'
import { insertBan } from '../db/room-bans.ts'
import { createInvite } from '../db/room-invites.ts'
import { initialPlaybackColumns } from '../rooms/store/stored-room.ts'
import { startRetention } from './retention.ts'

const logger = pino({ level: 'silent' })
const dayMs = 24 * 60 * 60 * 1_000
const week = 7 * dayMs
const retention = { messagesMs: week, historyMs: week, idleRoomsMs: week, outboxMs: week }
const isoIn = (clock: FakeClock, ms: number): string => new Date(clock.now() + ms).toISOString()

async function insertUser(db: Db, clock: FakeClock, isGuest: boolean): Promise<string> {
  const [id, now] = [newId(), isoIn(clock, 0)]
  const flag = (value: boolean) => (engineOf(db) === 'postgres' ? value : Number(value))
  await sql`insert into "user" ("id", "name", "email", "emailVerified", "isAnonymous", "banned", "role", "createdAt", "updatedAt")
    values (${id}, ${id}, ${id}, ${flag(false)}, ${flag(isGuest)}, ${flag(false)}, 'user', ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into "session" ("id", "token", "userId", "ipAddress", "expiresAt", "createdAt", "updatedAt")
    values (${newId()}, ${id}, ${id}, ${`192.0.2.${Math.floor(Math.random() * 200)}`}, ${isoIn(clock, 30 * dayMs)}, ${now}, ${now})`.execute(
    db,
  )
  await insertProfile(db, { id, username: id, avatarUrl: null, isGuest, createdAtMs: clock.now() })
  return id
}

/** Between two visits of strangers. */
const visitEveryMs = 3 * dayMs

/** Adds what strangers leave behind in a visit, and a host who writes new tags into a file. */
async function leaveTraces(db: Db, clock: FakeClock, dataDir: string, permanentRoom: string): Promise<void> {
  const now = clock.now()
  const [idle, banned, listener] = [
    await insertUser(db, clock, true),
    await insertUser(db, clock, true),
    await insertUser(db, clock, true),
  ]
  await insertUser(db, clock, false)
  await db
    .insertInto('room_access')
    .values({ room_id: permanentRoom, user_id: listener, granted_at: now })
    .execute()
  await insertBan({ db, clock }, { roomId: permanentRoom, userId: banned, bannedBy: 'ann' })
  await sql`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
    values (${newId()}, ${newId()}, ${idle}, ${isoIn(clock, 3_600_000)}, ${isoIn(clock, 0)}, ${isoIn(clock, 0)})`.execute(
    db,
  )
  const roomId = await insertRoom(db, clock)
  const tracks = ['Played', 'Unplayed'].map((title) => makeTrack(title, roomId, ''))
  const files = tracks.map((track) => ({ ...makeFile(track), missing_since: now }))
  await upsertTracks(db, tracks, now)
  await upsertLibraryFiles(db, files)
  for (const room of [roomId, permanentRoom]) {
    await insertPlayed(
      db,
      { id: newSortableId(now), room_id: room, track_id: tracks[0]!.id, added_by: null, played_at: now },
      100,
    )
    await db
      .insertInto('messages')
      .values({ id: newSortableId(now), room_id: room, user_id: idle, content: 'Hello', created_at: now })
      .execute()
    await createInvite(db, clock, { roomId: room, uses: 1 })
  }
  for (const { fingerprint } of files) await insertWaveform(db, fingerprint, [1])
  await createServerInvite({ db, clock }, { note: '', days: 7, uses: 1, givesLibraryAccess: true })
  const mail = `outbox/${newSortableId(now)}.eml`
  await writeIn(dataDir, mail, 'Subject: Hello')
  await utimes(join(dataDir, mail), now / 1_000, now / 1_000)
}

async function insertRoom(db: Db, clock: FakeClock): Promise<string> {
  const id = newId()
  const row = { id, name: id, owner_id: 'ann', is_public: 1, password: null, preferred_source: 'library' }
  const rest = { created_at: clock.now(), settings: '{}', controller_id: null, search_text: id }
  await db
    .insertInto('rooms')
    .values({ ...row, ...initialPlaybackColumns(clock.now()), ...rest })
    .execute()
  return id
}

const tables = [
  'user', 'session', 'account', 'verification', 'profiles', 'rooms', 'tracks', 'room_tracks', 'user_rooms',
  'room_access', 'room_invites', 'room_bans', 'messages', 'library_files', 'library_waveforms', 'listening_time',
  'room_history', 'removed_entries', 'server_invites', 'admin_codes', 'readiness',
] // prettier-ignore

describeDatabases('a server that runs for months', (open) => {
  it(
    '15.79 what strangers, guests and rewritten files leave behind grows without bound in no table and folder',
    { timeout: 600_000 },
    async () => {
      const [db, clock, dataDir] = [await open(), createFakeClock(Date.now()), await makeFolder()]
      const stops = [
        startRetention({ db, clock, logger, dataDir, retention }),
        startSweeping({ db, clock, logger }),
      ]
      onTestFinished(async () => void (await Promise.all(stops.map((stop) => stop()))))
      const permanentRoom = await insertRoom(db, clock)
      await db
        .insertInto('user_rooms')
        .values({ room_id: permanentRoom, user_id: 'ann', joined_at: 1 })
        .execute()
      const pass = async (ms: number) => {
        clock.advance(ms)
        // Both sweeps have run and wait for the next time.
        await vi.waitFor(() => expect(clock.pending).toBe(2), { interval: 1 })
      }
      const liveDays = async (days: number) => {
        for (let livedMs = 0; livedMs < days * dayMs; livedMs += visitEveryMs) {
          await leaveTraces(db, clock, dataDir, permanentRoom)
          await pass(visitEveryMs)
        }
        // Both ran at once: what the one left to the other, such as bans of users it deleted, is deleted within the hour.
        await pass(60 * 60 * 1_000)
        const counts: Record<string, number> = { outbox: (await readdir(join(dataDir, 'outbox'))).length }
        for (const table of tables) {
          const { rows } = await sql<{
            count: number
          }>`select count(*) as count from ${sql.table(table)}`.execute(db)
          counts[table] = Number(rows[0]?.count)
        }
        return counts
      }
      const before = await liveDays(105)
      expect(before).toMatchObject({ rooms: 3, outbox: 2 })
      expect(await liveDays(30)).toEqual(before)
    },
  )
})
