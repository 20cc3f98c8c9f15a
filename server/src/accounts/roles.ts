import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import { deleteResetTokens } from '../auth/reset-tokens.ts'
import type { Db } from '../db/database.ts'
import {
  deleteSessions,
  findUser,
  hasAdmin,
  isGuest,
  writeAdmin,
  writeDisabled,
  writeLibraryAccess,
} from '../db/users.ts'

/** An administrator's changes of a user. */
interface RoleChanges {
  isDisabled?: boolean
  isAdmin?: boolean
  hasLibraryAccess?: boolean
}

const lastAdminText = 'There must be an administrator: make somebody else one first'

/**
 * Changes a user's role or state. A disabled user's sessions end. Returns the user, and the sessions that ended.
 * @throws AppError not_found, invalid_input where no administrator would be left, or account_required for a guest as one
 */
export async function changeUser(
  db: Db,
  userId: string,
  { isDisabled, isAdmin, hasLibraryAccess }: RoleChanges,
): Promise<{ user: AdminUser; endedSessions: string[] }> {
  return db.transaction().execute(async (change) => {
    const before = await findUser(change, userId)
    if (!before) throw new AppError('not_found')
    if (isAdmin && (await isGuest(change, userId))) throw new AppError('account_required')
    if (isAdmin !== undefined) await writeAdmin(change, userId, isAdmin)
    if (isDisabled !== undefined) await writeDisabled(change, userId, isDisabled)
    if (hasLibraryAccess !== undefined) await writeLibraryAccess(change, userId, hasLibraryAccess)
    const isDemoted = before.isAdmin && (isAdmin === false || isDisabled === true)
    if (isDemoted && !(await hasAdmin(change))) throw new AppError('invalid_input', lastAdminText)
    const endedSessions = isDisabled === true ? await deleteSessions(change, userId) : []
    if (isDisabled === true) await deleteResetTokens(change, userId)
    const user = await findUser(change, userId)
    if (!user) throw new AppError('not_found')
    return { user, endedSessions }
  })
}

/** @throws AppError invalid_input where the account is the only administrator's */
export async function requireOtherAdmin(db: Db, userId: string): Promise<void> {
  const user = await findUser(db, userId)
  if (user?.isAdmin && !(await hasAdmin(db, userId))) throw new AppError('invalid_input', lastAdminText)
}
