import type { Profile, Source } from '@earshot/core/protocol/entities'
import type { Selectable, Updateable } from 'kysely'
import type { Db } from './database.ts'
import type { ProfilesTable } from './schema.ts'

/** The profiles (7.7). The email is stored with the account. */

export type StoredProfile = Omit<Profile, 'email'>

/** The fields that a user may change. */
export type ProfileChanges = Partial<
  Pick<Profile, 'username' | 'full_name' | 'preferred_source' | 'match_elsewhere'>
>

export async function findProfile(db: Db, userId: string): Promise<StoredProfile | null> {
  const row = await db.selectFrom('profiles').selectAll().where('id', '=', userId).executeTakeFirst()
  return row ? toProfile(row) : null
}

/** Resolves to the names of these users, by id; without those that have no profile. */
export async function findUsernames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.selectFrom('profiles').select(['id', 'username']).where('id', 'in', userIds).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Inserts the profile of a new account; keeps an existing one. */
export async function insertProfile(
  db: Db,
  profile: { id: string; username: string; avatarUrl: string | null; isGuest?: boolean; createdAtMs: number },
): Promise<void> {
  await db
    .insertInto('profiles')
    .values({
      id: profile.id,
      username: profile.username,
      full_name: '',
      avatar_url: profile.avatarUrl,
      preferred_source: 'library' satisfies Source,
      spotify_connected: 0,
      youtube_connected: 0,
      youtube_key: null,
      match_elsewhere: 0,
      is_guest: profile.isGuest ? 1 : 0,
      created_at: Math.round(profile.createdAtMs),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Updates a profile and returns it; null where there is none. */
export async function updateProfile(
  db: Db,
  userId: string,
  changes: ProfileChanges,
): Promise<StoredProfile | null> {
  if (Object.keys(changes).length > 0) {
    await db.updateTable('profiles').set(toColumns(changes)).where('id', '=', userId).execute()
  }
  return findProfile(db, userId)
}

function toColumns({ match_elsewhere, ...changes }: ProfileChanges): Updateable<ProfilesTable> {
  return match_elsewhere === undefined ? changes : { ...changes, match_elsewhere: match_elsewhere ? 1 : 0 }
}

function toProfile(row: Selectable<ProfilesTable>): StoredProfile {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    avatar_url: row.avatar_url,
    preferred_source: row.preferred_source as Source,
    spotify_connected: row.spotify_connected === 1,
    youtube_connected: row.youtube_connected === 1,
    match_elsewhere: row.match_elsewhere === 1,
  }
}
