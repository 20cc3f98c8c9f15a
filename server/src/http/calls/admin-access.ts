import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { addressKey } from '../../address-key.ts'
import { claimAdmin } from '../../accounts/admin-code.ts'
import { isServerInvite } from '../../db/server-invites.ts'
import type { Db } from '../../db/database.ts'
import { hasAdmin } from '../../db/users.ts'
import { createSharedRateLimiter, takePoint } from '../../limits/rate-limits.ts'
import type { SecurityLog } from '../../ops/security-log.ts'
import { registerCall } from '../http-call.ts'
import { otherRates } from '../../limits/rates.ts'

interface AdminAccessParts {
  db: Db
  clock: Clock
  securityLog: SecurityLog
  redis: Redis | null
}

/** Serves the ways in: an invite to the server, and the code that makes the first administrator. */
export function registerAdminAccessCalls(server: FastifyInstance, parts: AdminAccessParts): void {
  const { db, clock, redis, securityLog } = parts
  const guesses = createSharedRateLimiter('admin-code', otherRates.adminCode, redis)
  const wrongInvites = createSharedRateLimiter('invites', otherRates.invites, redis)

  registerCall(server, httpApi.checkInvite, async ({ body: { token }, ip }) => {
    await takePoint(wrongInvites, addressKey(ip))
    const isValid = await isServerInvite({ db, clock }, token)
    // Opening a working link again and again is no guessing.
    if (isValid) await wrongInvites.reward(addressKey(ip))
    else securityLog.record('invite_refused', { address: ip })
    return { isValid }
  })

  registerCall(server, httpApi.getAdminStatus, async ({ session: { user } }) => ({
    isAdmin: user.isAdmin,
    isCodeAwaited: !(await hasAdmin(db)),
  }))

  registerCall(server, httpApi.claimAdmin, async ({ body: { code }, session: { user }, ip }) => {
    await takePoint(guesses, `user ${user.id}`)
    await takePoint(guesses, `address ${addressKey(ip)}`)
    if (!(await claimAdmin({ db, clock }, user.id, code))) throw new AppError('wrong_code')
    securityLog.record('admin_action', {
      address: ip,
      userId: user.id,
      action: 'claim_admin',
      target: user.id,
    })
    return {}
  })
}
