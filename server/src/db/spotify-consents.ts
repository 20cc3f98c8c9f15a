import type { Db } from './database.ts'
import type { SpotifyConsentsTable } from './schema.ts'

/** The consents that users were sent to Spotify for and have not come back from. Only hashes of states are stored. */

/** Stores a consent; deletes those of before `expiredBefore`, and all but the user's newest `keep`. */
export async function insertConsent(
  db: Db,
  consent: SpotifyConsentsTable,
  { keep, expiredBefore }: { keep: number; expiredBefore: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('spotify_consents').where('created_at', '<', expiredBefore).execute()
    await transaction.insertInto('spotify_consents').values(consent).execute()
    const surplus = transaction
      .selectFrom('spotify_consents')
      .select('state_hash')
      .where('user_id', '=', consent.user_id)
      .orderBy('created_at', 'desc')
      .orderBy('state_hash')
      .limit(1_000)
      .offset(keep)
    await transaction.deleteFrom('spotify_consents').where('state_hash', 'in', surplus).execute()
  })
}

/** Removes and returns the consent of a state, if it belongs to this session. Only one caller ever gets it. */
export async function takeConsent(
  db: Db,
  { stateHash, userId, sessionId }: { stateHash: string; userId: string; sessionId: string },
): Promise<SpotifyConsentsTable | null> {
  const consent = await db
    .selectFrom('spotify_consents')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (!consent) return null
  const { numDeletedRows } = await db
    .deleteFrom('spotify_consents')
    .where('state_hash', '=', stateHash)
    .executeTakeFirst()
  return numDeletedRows === 1n ? consent : null
}

export async function deleteConsents(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('spotify_consents').where('user_id', '=', userId).execute()
}
