import { type Clock, dayMs } from '@earshot/core/clock'
import type { newInviteSchema, ServerInvite } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { hashToken, newToken } from '../crypto/tokens.ts'
import type { Db } from './database.ts'
import type { ServerInvitesTable } from './schema.ts'
import { serverLimits } from '../server-limits.ts'

/** Invites to the server: whoever has the link may create an account. Stored as hashes, which also are their ids. */

interface InviteParts {
  db: Db
  clock: Clock
}

const tokenBytes = 24

/** Creates an invite. The token is not stored, so it cannot be shown again. */
export async function createServerInvite(
  { db, clock }: InviteParts,
  { note, days, uses, givesLibraryAccess }: z.output<typeof newInviteSchema>,
): Promise<{ invite: ServerInvite; token: string }> {
  const nowMs = Math.round(clock.now())
  await db.deleteFrom('server_invites').where('expires_at', '<=', nowMs).execute()
  const { length } = await listServerInvites({ db, clock })
  if (length >= serverLimits.serverInvitesMax) {
    throw new AppError('invalid_input', `There are ${length} invites already. Revoke some of them first.`)
  }
  const token = newToken(tokenBytes)
  const row = {
    token_hash: hashToken(token),
    note,
    created_at: nowMs,
    expires_at: nowMs + days * dayMs,
    uses: 0,
    max_uses: uses,
    gives_library: givesLibraryAccess ? 1 : 0,
  }
  await db.insertInto('server_invites').values(row).execute()
  return { invite: toInvite(row), token }
}

/** Lists the invites that have not expired, newest first, used up or not. */
export async function listServerInvites({ db, clock }: InviteParts): Promise<ServerInvite[]> {
  const rows = await db
    .selectFrom('server_invites')
    .selectAll()
    .where('expires_at', '>', Math.round(clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map(toInvite)
}

/** @throws AppError not_found */
export async function revokeServerInvite({ db }: Pick<InviteParts, 'db'>, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('server_invites')
    .where('token_hash', '=', id)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) throw new AppError('not_found')
}

/** Whether a token admits now. */
export async function isServerInvite({ db, clock }: InviteParts, token: string): Promise<boolean> {
  const row = await selectValid(db, clock, token).executeTakeFirst()
  return row !== undefined
}

/** Uses an invite once; null where it does not admit. Of simultaneous sign-ups, no more succeed than it has uses. */
export async function takeServerInvite(
  { db, clock }: InviteParts,
  token: string,
): Promise<{ givesLibraryAccess: boolean } | null> {
  const row = await db
    .updateTable('server_invites')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', Math.round(clock.now()))
    .whereRef('uses', '<', 'max_uses')
    .returning('gives_library')
    .executeTakeFirst()
  return row === undefined ? null : { givesLibraryAccess: row.gives_library === 1 }
}

function selectValid(db: Db, clock: Clock, token: string) {
  return db
    .selectFrom('server_invites')
    .select('token_hash')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', Math.round(clock.now()))
    .whereRef('uses', '<', 'max_uses')
}

function toInvite(row: Selectable<ServerInvitesTable>): ServerInvite {
  return {
    id: row.token_hash,
    note: row.note,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    uses: row.uses,
    maxUses: row.max_uses,
    givesLibraryAccess: row.gives_library === 1,
  }
}
