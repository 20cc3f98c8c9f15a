import { dayMs } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { type ExpressionBuilder, sql } from 'kysely'
import { type Db, engineOf } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { serverLimits } from '../server-limits.ts'

/** A disk may be away for long, and its tracks are to be known again. */
const missingTrackMs = 90 * dayMs
/** Rows of one statement, and library tracks that one sweep deletes. */
const batchSize = 500

/**
 * Deletes what nobody can use any more: ended invites, bans of users who are gone, queue entries that can no longer be
 * put back, library tracks whose file has been missing for 90 days and which no room holds, and what no file refers to.
 * Resolves to the number of rows.
 */
export async function deleteLeftovers(db: Db, nowMs: number): Promise<number> {
  const now = Math.floor(nowMs)
  const counts = [
    await deleteEndedInvites(db, now),
    await deleteBansOfGoneUsers(db, now - serverLimits.guestBanMs),
    await deleteRemovedEntries(db, now - limits.restoreWindowMs),
    await deleteMissingTracks(db, now - missingTrackMs),
    await deleteUnusedRows(db, 'library_albums', 'album_id'),
    await deleteUnusedRows(db, 'library_artists', 'artist_id'),
    await deleteUnusedWaveforms(db),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

async function deleteEndedInvites(db: Db, nowMs: number): Promise<number> {
  let count = 0
  for (const table of ['room_invites', 'server_invites'] as const) {
    const deletion = db.deleteFrom(table).where('expires_at', '<=', nowMs)
    count += Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)
  }
  return count
}

/** A guest's ban goes by their address for a while, so it outlives them for as long. */
async function deleteBansOfGoneUsers(db: Db, beforeMs: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from room_bans where created_at < ${beforeMs}
    and not exists (select 1 from "user" where "user"."id" = room_bans.user_id)`.execute(db)
  return Number(numAffectedRows)
}

/** Those of rooms in which nothing was removed since: a cleared queue leaves up to 1,000. */
async function deleteRemovedEntries(db: Db, beforeMs: number): Promise<number> {
  let count = 0
  for (;;) {
    const old = db
      .selectFrom('removed_entries')
      .select('entry_id')
      .where('removed_at', '<', beforeMs)
      .limit(batchSize)
    const { numDeletedRows } = await db
      .deleteFrom('removed_entries')
      .where('entry_id', 'in', old)
      .executeTakeFirst()
    count += Number(numDeletedRows)
    if (numDeletedRows < batchSize) return count
  }
}

type FileBuilder = ExpressionBuilder<Database, 'library_files'>

/** References that keep a track without its file. */
const holders = [
  (eb: FileBuilder) =>
    eb.selectFrom('rooms').select('rooms.id').whereRef('current_track_id', '=', 'library_files.track_id'),
  (eb: FileBuilder) =>
    eb
      .selectFrom('room_tracks')
      .select('entry_id')
      .whereRef('room_tracks.track_id', '=', 'library_files.track_id'),
  (eb: FileBuilder) =>
    eb
      .selectFrom('room_history')
      .select('room_history.id')
      .whereRef('room_history.track_id', '=', 'library_files.track_id'),
]

async function deleteMissingTracks(db: Db, beforeMs: number): Promise<number> {
  return await db.transaction().execute(async (change) => {
    const rows = await change
      .selectFrom('library_files')
      .select('track_id')
      .where('missing_since', '<', beforeMs)
      .where((eb) => eb.not(eb.or(holders.map((holder) => eb.exists(holder(eb))))))
      .limit(batchSize)
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map((row) => row.track_id)
    await change.deleteFrom('library_files').where('track_id', 'in', ids).execute()
    await change.deleteFrom('tracks').where('id', 'in', ids).execute()
    return ids.length
  })
}

/** New tags leave the rows of the old ones behind. */
async function deleteUnusedRows(
  db: Db,
  table: 'library_albums' | 'library_artists',
  column: 'album_id' | 'artist_id',
): Promise<number> {
  const [places, id] = [sql.table(table), sql.ref(column)]
  return await db.transaction().execute(async (change) => {
    // A scan stores a place ahead of the files that refer to it, in one transaction.
    if (engineOf(db) === 'postgres')
      await sql`lock table ${places} in share row exclusive mode`.execute(change)
    // In two steps: only files that are present are indexed by their places.
    const { numAffectedRows = 0n } = await sql`delete from ${places}
      where not exists (select 1 from library_files where ${id} = ${places}.id and missing_since is null)
      and id not in (select ${id} from library_files where ${id} is not null and missing_since is not null)`.execute(
      change,
    )
    return Number(numAffectedRows)
  })
}

async function deleteUnusedWaveforms(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from library_waveforms
    where not exists (select 1 from library_files where library_files.fingerprint = library_waveforms.fingerprint)`.execute(
    db,
  )
  return Number(numAffectedRows)
}
