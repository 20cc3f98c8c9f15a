import { randomInt } from 'node:crypto'
import { limits } from '@earshot/core/limits'
import type { Profile, Source } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Selectable, Updateable } from 'kysely'
import { type Db, lockRow } from './database.ts'
import { mixesAlphabets, nameKeysOf, numberedName } from './name-keys.ts'
import { isReservedName, neutralName } from './reserved-names.ts'
import type { ProfilesTable } from './schema.ts'

/** The profiles (7.7). The email is stored with the account. */

export type StoredProfile = Omit<Profile, 'email'>

/** The fields that a user may change. */
type ProfileChanges = Partial<
  Pick<Profile, 'username' | 'full_name' | 'preferred_source' | 'match_elsewhere'>
>

export async function findProfile(db: Db, userId: string): Promise<StoredProfile | null> {
  const row = await db.selectFrom('profiles').selectAll().where('id', '=', userId).executeTakeFirst()
  return row ? toProfile(row) : null
}

/** Resolves to the profiles of these users, by id; without those that have none. */
export async function listProfiles(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, StoredProfile>> {
  const rows = await db.selectFrom('profiles').selectAll().where('id', 'in', userIds).execute()
  return new Map(rows.map((row) => [row.id, toProfile(row)]))
}

/** Resolves to the names of these users, by id; without those that have no profile. */
export async function findUsernames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.selectFrom('profiles').select(['id', 'username']).where('id', 'in', userIds).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Another user may take a name between the look and the insert; more often than this, something else is wrong. */
const insertAttempts = 5

/**
 * Inserts the profile of a new account or guest; keeps an existing one. A taken name gets a number: ann 2. One that
 * nobody may choose is replaced by a neutral one.
 */
export async function insertProfile(
  db: Db,
  profile: {
    id: string
    username: string
    avatarUrl: string | null
    createdAtMs: number
    isGuest?: boolean
    hasLibraryAccess?: boolean
    takesNameOf?: string | null
  },
): Promise<void> {
  const { username: given } = profile
  const wanted = isReservedName(given) || mixesAlphabets(given) ? neutralName : given
  for (let attempt = 0; attempt < insertAttempts; attempt += 1) {
    const username = await findFreeName(db, wanted)
    await db
      .insertInto('profiles')
      .values({
        id: profile.id,
        username,
        ...nameKeysOf(username),
        full_name: '',
        avatar_url: profile.avatarUrl,
        preferred_source: 'library' satisfies Source,
        spotify_connected: 0,
        youtube_connected: 0,
        youtube_key: null,
        match_elsewhere: 0,
        is_guest: profile.isGuest === true ? 1 : 0,
        library_access: profile.hasLibraryAccess === true ? 1 : 0,
        takes_name_of: profile.takesNameOf ?? null,
        created_at: Math.round(profile.createdAtMs),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (await findProfile(db, profile.id)) return
  }
  throw new AppError('name_taken')
}

/** Locks the profile's row until the transaction ends. */
export async function lockProfile(change: Db, userId: string): Promise<void> {
  const query = change.selectFrom('profiles').select('id').where('id', '=', userId)
  await lockRow(query, 'profiles').execute()
}

/** Counts the rooms that a user created, whether or not they still exist and are theirs. */
export async function countCreatedRooms(db: Db, userId: string): Promise<number> {
  const query = db.selectFrom('profiles').select('rooms_created').where('id', '=', userId)
  return (await query.executeTakeFirst())?.rooms_created ?? 0
}

export async function addCreatedRoom(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('profiles')
    .set((row) => ({ rooms_created: row('rooms_created', '+', 1) }))
    .where('id', '=', userId)
    .execute()
}

/** Whether another user has the name, or one that looks the same. */
export async function isNameTaken(db: Db, username: string, exceptUserId = ''): Promise<boolean> {
  const { name_key, name_look } = nameKeysOf(username)
  const row = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '!=', exceptUserId)
    .where((eb) => eb.or([eb('name_key', '=', name_key), eb('name_look', '=', name_look)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a user has the name, or one that looks the same. */
export async function hasName(db: Db, userId: string, username: string): Promise<boolean> {
  const profile = await findProfile(db, userId)
  return profile !== null && nameKeysOf(profile.username).name_look === nameKeysOf(username).name_look
}

/** Highest number that is tried in order, and how many random ones follow, each of up to one digit more. */
const lastOrderedNumber = 9
const randomDigits = [2, 3, 4, 5, 6, 7, 8, 9]

/**
 * Tries a few numbers in order, then random ones of growing length: however many users are called the same, the number
 * of queries is bounded. @throws AppError name_taken
 */
async function findFreeName(db: Db, username: string): Promise<string> {
  for (const number of numbersToTry()) {
    const name = numberedName(username, number, limits.displayNameMaxLength)
    if (!(await isNameTaken(db, name))) return name
  }
  throw new AppError('name_taken')
}

function* numbersToTry(): Generator<number> {
  for (let number = 1; number <= lastOrderedNumber; number += 1) yield number
  for (const digits of randomDigits) yield randomInt(lastOrderedNumber + 1, 10 ** digits)
}

/** Updates a profile and returns it; null where there is none. @throws AppError name_taken */
export async function updateProfile(
  db: Db,
  userId: string,
  changes: ProfileChanges,
): Promise<StoredProfile | null> {
  const { username } = changes
  if (username !== undefined && (await isNameTaken(db, username, userId))) throw new AppError('name_taken')
  if (Object.keys(changes).length > 0) {
    try {
      await db.updateTable('profiles').set(toColumns(changes)).where('id', '=', userId).execute()
    } catch (error) {
      // Somebody took the name since it was looked up.
      const isTaken = username !== undefined && (await isNameTaken(db, username, userId))
      throw isTaken ? new AppError('name_taken') : error
    }
  }
  return findProfile(db, userId)
}

function toColumns({ match_elsewhere, ...changes }: ProfileChanges): Updateable<ProfilesTable> {
  return {
    ...changes,
    ...(changes.username === undefined ? {} : { ...nameKeysOf(changes.username), takes_name_of: null }),
    ...(match_elsewhere === undefined ? {} : { match_elsewhere: match_elsewhere ? 1 : 0 }),
  }
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
