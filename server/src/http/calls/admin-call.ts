import type { HttpCall } from '@earshot/core/protocol/http-api'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance } from 'fastify'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Session } from '../../auth/session.ts'
import { takePoint } from '../../limits/rate-limits.ts'
import type { SecurityLog } from '../../ops/security-log.ts'
import { type CallHandler, type CallRequest, registerCall } from '../http-call.ts'

export interface AdminCallParts {
  securityLog: SecurityLog
  /** Limits the calls of one administrator. */
  limiter: RateLimiterAbstract
}

/** A call for administrators. The role is read with the session of each request, so it ends at once. */
export function registerAdminCall<const Call extends HttpCall & { signedIn: true }>(
  server: FastifyInstance,
  { securityLog, limiter }: AdminCallParts,
  call: Call,
  { audit, handle }: { audit?: (request: CallRequest<Call>) => Audit; handle: CallHandler<Call> },
): void {
  registerCall(server, call, async (request) => {
    // `signedIn` of the call says so; the compiler cannot follow it through the type parameter.
    const { user } = request.session as Session
    if (!user.isAdmin) throw new AppError('not_admin')
    await takePoint(limiter, user.id)
    const answer = await handle(request)
    if (audit) {
      securityLog.record('admin_action', { address: request.ip, userId: user.id, ...audit(request) })
    }
    return answer
  })
}

/** The entry of a change in the security log. */
interface Audit {
  action: string
  /** The id of what was changed. */
  target?: string
}
