import {
  AppError,
  httpStatus,
  toWireError,
  type ErrorCode,
  type WireError,
} from '@earshot/core/protocol/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authPath } from '../auth/session.ts'
import type { SecurityEvent, SecurityLog } from '../ops/security-log.ts'
import { toUnavailable } from '../unavailable.ts'
import { routeOf } from './request.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Decorated once by `answerErrors`. */
    securityLog: SecurityLog
  }
}

/** Answers every failed call with `{ error: WireError }` and the status of its code. */
export function answerErrors(server: FastifyInstance, securityLog: SecurityLog): void {
  server.decorate('securityLog', securityLog)
  server.setErrorHandler((error: FastifyError | AppError, request, reply) => sendError(error, request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toAppError(error)
  const isOurs = problem instanceof AppError && problem.code !== 'unavailable'
  // Nobody gets the answer to an aborted request: it is no failure of the server.
  if (!isOurs && !request.raw.destroyed)
    request.log.error({ err: error }, 'Request failed; answering with an error')
  const wire = toWireError(problem)
  const event = securityEvents[wire.code]
  const at = routeOf(request) ?? 'page'
  if (event) request.server.securityLog.record(event, { address: request.ip, at })
  if (wire.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(wire.retryAfterMs / 1_000))
  return reply.code(httpStatus[wire.code]).send(toBody(wire, routeOf(request)))
}

const securityEvents: Partial<Record<ErrorCode, SecurityEvent>> = {
  rate_limited: 'limit_reached',
  origin_refused: 'origin_refused',
  client_key_required: 'origin_refused',
  wrong_code: 'code_refused',
  not_admin: 'not_admin',
}

/** The sign-in library's client reads code and message from the top level. */
function toBody(wire: WireError, route: string | null): object {
  const isSignIn = route?.startsWith(`${authPath}/`) ?? false
  return isSignIn ? { code: wire.code, message: wire.message, error: wire } : { error: wire }
}

/** Maps Fastify's errors about a request to ours; returns any other error unchanged. */
function toAppError(error: unknown): unknown {
  const problem = toUnavailable(error)
  if (problem instanceof AppError || !(error instanceof Error)) return problem
  if (!('statusCode' in error) || typeof error.statusCode !== 'number') return error
  const code = codeOfStatus(error.statusCode)
  if (code === null) return error
  return new AppError(code, code === 'invalid_input' ? error.message : undefined)
}

function codeOfStatus(status: number): ErrorCode | null {
  if (status < 400 || (status >= 500 && status !== 503)) return null
  const codes: Record<number, ErrorCode> = {
    404: 'not_found',
    413: 'payload_too_large',
    429: 'rate_limited',
    503: 'unavailable',
  }
  return codes[status] ?? 'invalid_input'
}
