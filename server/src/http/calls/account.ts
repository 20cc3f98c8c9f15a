import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { requireOtherAdmin } from '../../accounts/roles.ts'
import { type AccountDeletionParts, deleteAccount } from '../../accounts/delete-account.ts'
import type { CheckPassword } from '../../auth/session.ts'
import { createSharedRateLimiter, takePoint } from '../../limits/rate-limits.ts'
import { registerCall } from '../http-call.ts'

export interface AccountParts extends AccountDeletionParts {
  checkPassword: CheckPassword
  redis: Redis | null
}

export const noPasswordText =
  'This account has no password yet. Set one with “Forgot password?” on the login page.'

/** Serves the deletion of the signed-in user's account. */
export function registerAccountCalls(server: FastifyInstance, parts: AccountParts): void {
  const attempts = createSharedRateLimiter('account-password', limits.rates.signIn, parts.redis)

  registerCall(server, httpApi.deleteAccount, async ({ session: { user }, body: { password } }) => {
    await takePoint(attempts, user.id)
    const outcome = await parts.checkPassword(user.id, password)
    if (outcome === 'none') throw new AppError('invalid_input', noPasswordText)
    if (outcome === 'wrong') throw new AppError('wrong_password')
    await requireOtherAdmin(parts.db, user.id)
    await deleteAccount(parts, user.id)
    return {}
  })
}
