import type { Db } from './database.ts'
import type { SpotifyAccountsTable } from './schema.ts'

/** The users' Spotify accounts (3.6, 7.7c). Tokens are sealed before they come here. */

type SpotifyAccountRow = Pick<SpotifyAccountsTable, 'spotify_tokens' | 'display_name' | 'authorized_at'>

export async function findSpotifyAccount(db: Db, userId: string): Promise<SpotifyAccountRow | null> {
  const row = await db
    .selectFrom('spotify_accounts')
    .select(['spotify_tokens', 'display_name', 'authorized_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores a new consent over an older one, and that the profile is connected. A refresh under way loses its lease. */
export async function storeSpotifyAccount(db: Db, userId: string, row: SpotifyAccountRow): Promise<void> {
  const values = { ...row, lease_id: null, lease_until: 0 }
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('spotify_accounts')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
    await setConnected(transaction, userId, true)
  })
}

/** Deletes the account with its tokens. */
export async function deleteSpotifyAccount(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('spotify_accounts').where('user_id', '=', userId).execute()
    await setConnected(transaction, userId, false)
  })
}

interface RefreshLease {
  userId: string
  leaseId: string
}

/**
 * Acquires the right to refresh the tokens `sealed`, for one process at a time. Resolves to false where another process
 * holds it, or the tokens are no longer these.
 */
export async function acquireRefreshLease(
  db: Db,
  { userId, leaseId }: RefreshLease,
  { sealed, nowMs, untilMs }: { sealed: string; nowMs: number; untilMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spotify_accounts')
    .set({ lease_id: leaseId, lease_until: Math.round(untilMs) })
    .where('user_id', '=', userId)
    .where('spotify_tokens', '=', sealed)
    .where('lease_until', '<=', Math.round(nowMs))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease, if it is still held, and keeps the tokens. */
export async function releaseRefreshLease(db: Db, { userId, leaseId }: RefreshLease): Promise<void> {
  await db
    .updateTable('spotify_accounts')
    .set({ lease_id: null, lease_until: 0 })
    .where('user_id', '=', userId)
    .where('lease_id', '=', leaseId)
    .execute()
}

/**
 * Replaces the tokens `before` and releases the lease; `after` is null where the consent has ended. Resolves to false,
 * and changes nothing, where the tokens are others by now.
 */
export async function replaceTokens(
  db: Db,
  userId: string,
  { before, after }: { before: string; after: string | null },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('spotify_accounts')
      .set({ spotify_tokens: after, lease_id: null, lease_until: 0 })
      .where('user_id', '=', userId)
      .where('spotify_tokens', '=', before)
      .executeTakeFirst()
    const isReplaced = numUpdatedRows === 1n
    if (isReplaced && after === null) await setConnected(transaction, userId, false)
    return isReplaced
  })
}

/** Replaces the tokens `before` by the same ones, sealed anew, unless they are being refreshed. */
export async function resealTokens(
  db: Db,
  userId: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spotify_accounts')
    .set({ spotify_tokens: after })
    .where('user_id', '=', userId)
    .where('spotify_tokens', '=', before)
    .where('lease_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function setConnected(db: Db, userId: string, isConnected: boolean): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ spotify_connected: isConnected ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}
