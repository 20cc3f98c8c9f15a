import type { Db } from './database.ts'
import type { SpotifyAccountsTable } from './schema.ts'

/** The users' Spotify accounts (3.6, 7.7c). Tokens are sealed before they come here. */

export type SpotifyAccountRow = Pick<
  SpotifyAccountsTable,
  'spotify_tokens' | 'display_name' | 'authorized_at'
>

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

/** Replaces the tokens if they are still `before`. */
export async function replaceTokens(db: Db, userId: string, before: string, after: string): Promise<void> {
  await db
    .updateTable('spotify_accounts')
    .set({ spotify_tokens: after })
    .where('user_id', '=', userId)
    .where('spotify_tokens', '=', before)
    .execute()
}

export interface RefreshLease {
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

/** Releases the lease and stores the refreshed tokens; null where the consent has ended. Nothing if the lease is lost. */
export async function storeRefreshed(db: Db, lease: RefreshLease, sealed: string | null): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const isHeld = await releaseWith(transaction, lease, { spotify_tokens: sealed })
    if (isHeld && sealed === null) await setConnected(transaction, lease.userId, false)
    return isHeld
  })
}

/** Releases the lease and keeps the tokens, after a refresh that failed for now. */
export async function releaseRefreshLease(db: Db, lease: RefreshLease): Promise<void> {
  await releaseWith(db, lease, {})
}

async function releaseWith(
  db: Db,
  { userId, leaseId }: RefreshLease,
  changes: Partial<Pick<SpotifyAccountsTable, 'spotify_tokens'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spotify_accounts')
    .set({ ...changes, lease_id: null, lease_until: 0 })
    .where('user_id', '=', userId)
    .where('lease_id', '=', leaseId)
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
