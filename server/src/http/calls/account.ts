import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { requireOtherAdmin } from '../../accounts/roles.ts'
import { type AccountDeletionParts, deleteAccount } from '../../accounts/delete-account.ts'
import type { CheckPassword } from '../../auth/session.ts'
import { registerCall } from '../http-call.ts'

interface AccountParts extends AccountDeletionParts {
  checkPassword: CheckPassword
  /** Counts a statement of a user's password. */
  takePasswordPoint: (userId: string) => Promise<void>
}

export const noPasswordText =
  'This account has no password yet. Set one with “Forgot password?” on the sign-in page.'

/** Serves the deletion of the signed-in user's account. */
export function registerAccountCalls(server: FastifyInstance, parts: AccountParts): void {
  registerCall(server, httpApi.deleteAccount, async ({ session: { user }, body: { password } }) => {
    await parts.takePasswordPoint(user.id)
    const outcome = await parts.checkPassword(user.id, password)
    if (outcome === 'none') throw new AppError('invalid_input', noPasswordText)
    if (outcome === 'wrong') throw new AppError('wrong_password')
    await requireOtherAdmin(parts.db, user.id)
    await deleteAccount(parts, user.id)
    return {}
  })
}
