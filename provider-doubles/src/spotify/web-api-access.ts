import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessToken, AccountsState, SpotifyUser } from './accounts-state.ts'
import type { ErrorAnswer } from './web-api-types.ts'

/** A refusal of the Web API. */
export class WebApiError extends Error {
  readonly status: number
  readonly reason: string | undefined
  /** Whether the body is the bare message instead of JSON, as for refusals that the gateway answers. */
  readonly isPlainText: boolean

  constructor(status: number, message: string, options: { reason?: string; isPlainText?: boolean } = {}) {
    super(message)
    this.status = status
    this.reason = options.reason
    this.isPlainText = options.isPlainText ?? false
  }
}

/** Answers a refusal. */
export function sendWebApiError(reply: FastifyReply, error: WebApiError): FastifyReply {
  const { status, message, reason, isPlainText } = error
  if (isPlainText) return reply.code(status).type('text/plain; charset=utf-8').send(message)
  const body: ErrorAnswer = { error: { status, message, ...(reason === undefined ? {} : { reason }) } }
  return reply.code(status).send(body)
}

/** The user behind a bearer token. */
export interface Access {
  user: SpotifyUser
  token: AccessToken
}

/** Checks the bearer token of a call and the scopes that the call needs. @throws WebApiError 400, 401, 403 */
export function requireAccess(
  accounts: AccountsState,
  request: FastifyRequest,
  scopes: string[] = [],
): Access {
  const access = findAccess(accounts, request.headers.authorization)
  const app = accounts.apps.find(({ clientId }) => clientId === access.token.clientId)
  if (app?.ownerHasPremium === false) {
    throw new WebApiError(403, 'Active premium subscription required for the owner of the app.', {
      isPlainText: true,
    })
  }
  if (!access.user.isAllowListed) {
    throw new WebApiError(
      403,
      'Check settings on developer.spotify.com/dashboard, the user may not be registered.',
      { isPlainText: true },
    )
  }
  if (!scopes.every((scope) => access.token.scopes.includes(scope))) {
    throw new WebApiError(403, 'Insufficient client scope')
  }
  return access
}

function findAccess(accounts: AccountsState, authorization: string | undefined): Access {
  if (authorization === undefined) throw new WebApiError(401, 'No token provided')
  const [, given] = /^Bearer (\S+)$/i.exec(authorization) ?? []
  if (given === undefined) throw new WebApiError(400, 'Only valid bearer authentication supported')
  const token = accounts.accessTokens.get(given)
  const user = accounts.users.find(({ id }) => id === token?.userId)
  if (!token || !user) throw new WebApiError(401, 'Invalid access token')
  if (token.expiresAt <= accounts.clock.now()) throw new WebApiError(401, 'The access token expired')
  return { user, token }
}

/** Checks that an id is 22 characters of base 62. @throws WebApiError 400 */
export function requireId(id: string): string {
  if (!/^[0-9A-Za-z]{22}$/.test(id)) throw new WebApiError(400, 'Invalid base62 id')
  return id
}

const maxOffset = 1_000

/** Reads `limit` and `offset`. @throws WebApiError 400 */
export function readPage(
  query: URLSearchParams,
  { byDefault, max }: { byDefault: number; max: number },
): { limit: number; offset: number } {
  const limit = Number(query.get('limit') ?? byDefault)
  const offset = Number(query.get('offset') ?? 0)
  if (!Number.isInteger(limit) || limit < 1 || limit > max) throw new WebApiError(400, 'Invalid limit')
  if (!Number.isInteger(offset) || offset < 0 || offset > maxOffset)
    throw new WebApiError(400, 'Invalid offset')
  return { limit, offset }
}
