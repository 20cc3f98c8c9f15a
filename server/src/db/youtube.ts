import type { Track } from '@earshot/core/protocol/entities'
import type { Db } from './database.ts'
import { findTracks, toTrack } from './tracks.ts'

/** The stored data of YouTube: connections, answers of searches, counted searches, and tracks that age. */

const source = 'youtube'

export interface YoutubeConnectionRow {
  isConnected: boolean
  /** The user's own key, encrypted; null without one. */
  sealedKey: string | null
}

export async function findYoutubeConnection(db: Db, userId: string): Promise<YoutubeConnectionRow> {
  const row = await db
    .selectFrom('profiles')
    .select(['youtube_connected', 'youtube_key'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return { isConnected: row?.youtube_connected === 1, sealedKey: row?.youtube_key ?? null }
}

/** Resolves to false where the user has no profile. */
export async function updateYoutubeConnection(
  db: Db,
  userId: string,
  { isConnected, sealedKey }: YoutubeConnectionRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('profiles')
    .set({ youtube_connected: isConnected ? 1 : 0, youtube_key: sealedKey })
    .where('id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Resolves to the tracks of a stored search since `sinceMs`, in its order; null if there is none. */
export async function findVideoSearch(db: Db, query: string, sinceMs: number): Promise<Track[] | null> {
  const row = await db
    .selectFrom('youtube_searches')
    .select('track_ids')
    .where('query', '=', query)
    .where('searched_at', '>', Math.round(sinceMs))
    .executeTakeFirst()
  if (!row) return null
  const ids = JSON.parse(row.track_ids) as string[]
  const known = await findTracks(db, ids)
  return ids.flatMap((id) => known.get(id) ?? [])
}

export async function storeVideoSearch(
  db: Db,
  query: string,
  trackIds: string[],
  nowMs: number,
): Promise<void> {
  const row = { query, track_ids: JSON.stringify(trackIds), searched_at: Math.round(nowMs) }
  await db
    .insertInto('youtube_searches')
    .values(row)
    .onConflict((conflict) => conflict.column('query').doUpdateSet(row))
    .execute()
}

export async function deleteVideoSearches(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('youtube_searches').where('searched_at', '<', Math.round(beforeMs)).execute()
}

/** A key on a day of YouTube's quota. */
export interface QuotaDay {
  keyId: string
  day: string
}

/** Counts one search unless `limit` are counted already. Resolves to the number counted, or null if it was refused. */
export async function countVideoSearch(
  db: Db,
  { keyId, day }: QuotaDay,
  limit: number,
): Promise<number | null> {
  const row = await db
    .insertInto('youtube_quota')
    .values({ key_id: keyId, day, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'day'])
        .doUpdateSet((eb) => ({ used: eb('youtube_quota.used', '+', 1) }))
        .where('youtube_quota.used', '<', limit),
    )
    .returning('used')
    .executeTakeFirst()
  return row?.used ?? null
}

/** Sets the count of a day to `used`. */
export async function setVideoSearchCount(db: Db, { keyId, day }: QuotaDay, used: number): Promise<void> {
  await db
    .insertInto('youtube_quota')
    .values({ key_id: keyId, day, used })
    .onConflict((conflict) => conflict.columns(['key_id', 'day']).doUpdateSet({ used }))
    .execute()
}

export async function findVideoSearchCount(db: Db, { keyId, day }: QuotaDay): Promise<number> {
  const row = await db
    .selectFrom('youtube_quota')
    .select('used')
    .where('key_id', '=', keyId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.used ?? 0
}

/** Deletes the counts of the days before `day`. */
export async function deleteVideoSearchCounts(db: Db, day: string): Promise<void> {
  await db.deleteFrom('youtube_quota').where('day', '<', day).execute()
}

/** Marks tracks of videos that no longer exist. Their data counts as old as it was. */
export async function markVideosRemoved(db: Db, trackIds: string[]): Promise<void> {
  if (trackIds.length === 0) return
  await db.updateTable('tracks').set({ restriction: 'removed' }).where('id', 'in', trackIds).execute()
}

/** Lists YouTube tracks whose data is from before `beforeMs`, the oldest first, without removed ones. */
export async function listStaleVideos(db: Db, beforeMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('source', '=', source)
    .where('fetched_at', '<', Math.round(beforeMs))
    .where((eb) => eb.or([eb('restriction', 'is', null), eb('restriction', '<>', 'removed')]))
    .orderBy('fetched_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes tracks of YouTube and Spotify with data from before `beforeMs` that are neither current nor queued in a room. */
export async function deleteUnusedTracks(db: Db, beforeMs: number, limit: number): Promise<void> {
  const unused = db
    .selectFrom('tracks')
    .select('tracks.id')
    .where('tracks.source', 'in', [source, 'spotify'])
    .where('tracks.fetched_at', '<', Math.round(beforeMs))
    .where((eb) => {
      const current = eb.selectFrom('rooms').select('id').whereRef('current_track_id', '=', 'tracks.id')
      const queued = eb.selectFrom('room_tracks').select('entry_id').whereRef('track_id', '=', 'tracks.id')
      return eb.not(eb.or([eb.exists(current), eb.exists(queued)]))
    })
    .limit(limit)
  await db.deleteFrom('tracks').where('id', 'in', unused).execute()
}

/** Removes what YouTube stated about tracks before `beforeMs`; `title` replaces theirs. */
export async function blankVideos(db: Db, beforeMs: number, title: string): Promise<void> {
  await db
    .updateTable('tracks')
    .set({ title, artist: 'YouTube', album_art: null, duration: null, regional: null })
    .where('source', '=', source)
    .where('fetched_at', '<', Math.round(beforeMs))
    .where('title', '<>', title)
    .execute()
}

/** Finds those of the tracks whose data was read since `sinceMs`. */
export async function findFreshTracks(db: Db, ids: string[], sinceMs: number): Promise<Map<string, Track>> {
  const rows = await db
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', ids)
    .where('fetched_at', '>', Math.round(sinceMs))
    .execute()
  return new Map(rows.map((row) => [row.id, toTrack(row)]))
}
