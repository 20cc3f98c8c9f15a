import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { bodyOf } from '../double-server.ts'
import { consentEnd, type AccountsState, type Grant, type SpotifyApp } from './accounts-state.ts'

/** The answer of `POST /api/token`. */
export type TokenAnswer =
  | { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string; refresh_token?: string }
  | TokenError

export interface TokenError {
  error: string
  error_description: string
}

interface Refusal {
  status: 400 | 401 | 415
  body: TokenError
}

/** A client that named itself, with its secret or, with PKCE, without. */
interface Client {
  app: SpotifyApp
  isPublic: boolean
}

/** Adds `POST /api/token`. */
export function addTokenEndpoint(app: FastifyInstance, accounts: AccountsState): void {
  app.post('/api/token', async (request, reply) => {
    const answer = answerTokenRequest(
      accounts,
      request.headers['content-type'] ?? '',
      request.headers.authorization,
      new URLSearchParams(bodyOf(request)),
    )
    reply.header('cache-control', 'no-store')
    if (!('status' in answer)) return reply.send(answer)
    if (answer.status === 401) reply.header('www-authenticate', 'Basic realm="accounts"')
    return reply.code(answer.status).send(answer.body)
  })
}

function answerTokenRequest(
  accounts: AccountsState,
  contentType: string,
  authorization: string | undefined,
  form: URLSearchParams,
): TokenAnswer | Refusal {
  if (!contentType.startsWith('application/x-www-form-urlencoded')) {
    return refuse('unsupported_grant_type', 'the request must be form-encoded', 415)
  }
  const client = authenticate(accounts, authorization, form)
  if ('status' in client) return client
  const grantType = form.get('grant_type')
  if (grantType === 'authorization_code') return redeemCode(accounts, client, form)
  if (grantType === 'refresh_token') return refresh(accounts, client, form.get('refresh_token'))
  if (grantType === null) return refuse('unsupported_grant_type', 'grant_type parameter is missing')
  return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
}

function authenticate(
  accounts: AccountsState,
  authorization: string | undefined,
  form: URLSearchParams,
): Client | Refusal {
  const isBasic = authorization?.startsWith('Basic ') ?? false
  if (isBasic && accounts.settings.refusesBasic) return refuse('invalid_client', 'Invalid client', 401)
  const [id, secret] = isBasic
    ? parseBasic(authorization?.slice('Basic '.length) ?? '')
    : [form.get('client_id'), form.get('client_secret')]
  const app = accounts.apps.find(({ clientId }) => clientId === id)
  if (!app) return refuse('invalid_client', 'Invalid client')
  if (secret === null && !isBasic) return { app, isPublic: true }
  if (secret !== app.clientSecret) return refuse('invalid_client', 'Invalid client secret')
  return { app, isPublic: false }
}

/** Splits `id:secret`; both are form-encoded (RFC 6749, 2.3.1). */
function parseBasic(encoded: string): [string | null, string | null] {
  const [, id, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return [null, null]
  return [decodeForm(id), decodeForm(secret)]
}

const decodeForm = (text: string): string => new URLSearchParams(`value=${text}`).get('value') ?? ''

function redeemCode(accounts: AccountsState, client: Client, form: URLSearchParams): TokenAnswer | Refusal {
  const given = form.get('code') ?? ''
  const code = accounts.codes.get(given)
  if (!code) return refuse('invalid_grant', 'Invalid authorization code')
  // Single use, and a failed attempt is a use.
  accounts.codes.delete(given)
  if (code.expiresAt <= accounts.clock.now()) return refuse('invalid_grant', 'Authorization code expired')
  if (code.clientId !== client.app.clientId) return refuse('invalid_grant', 'Invalid authorization code')
  if (code.redirectUri !== form.get('redirect_uri')) return refuse('invalid_grant', 'Invalid redirect URI')
  if (code.codeChallenge === null && client.isPublic) return refuse('invalid_client', 'Invalid client')
  if (code.codeChallenge !== null && code.codeChallenge !== toChallenge(form.get('code_verifier') ?? '')) {
    return refuse('invalid_grant', 'code_verifier was incorrect')
  }
  const { clientId, userId, scopes, consentedAt } = code
  const grant = { clientId, userId, scopes, consentedAt }
  return { ...tokensFor(accounts, grant), refresh_token: accounts.issueRefreshToken(grant, client.isPublic) }
}

/** The S256 challenge of a verifier; null for one that is not 43 to 128 unreserved characters. */
function toChallenge(verifier: string): string | null {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return null
  return createHash('sha256').update(verifier).digest('base64url')
}

function refresh(accounts: AccountsState, client: Client, given: string | null): TokenAnswer | Refusal {
  if (given === null) return refuse('invalid_request', 'refresh_token must be supplied')
  const token = accounts.refreshTokens.get(given)
  if (!token || token.clientId !== client.app.clientId)
    return refuse('invalid_grant', 'Invalid refresh token')
  if (client.isPublic && !token.isPublic) return refuse('invalid_client', 'Invalid client')
  if (token.state !== 'valid') return refuse('invalid_grant', 'Refresh token revoked')
  if (consentEnd(token.consentedAt) <= accounts.clock.now())
    return refuse('invalid_grant', 'Refresh token expired')
  const { rotation } = accounts.settings
  const rotates = rotation === 'always' || (rotation === 'public-clients' && token.isPublic)
  if (!rotates) return tokensFor(accounts, token)
  token.state = 'rotated'
  return { ...tokensFor(accounts, token), refresh_token: accounts.issueRefreshToken(token, token.isPublic) }
}

function tokensFor(accounts: AccountsState, { clientId, userId, scopes, consentedAt }: Grant) {
  return {
    access_token: accounts.issueAccessToken({ clientId, userId, scopes, consentedAt }),
    token_type: 'Bearer' as const,
    expires_in: accounts.settings.expiresInSeconds,
    scope: scopes.join(' '),
  }
}

function refuse(error: string, description: string, status: Refusal['status'] = 400): Refusal {
  return { status, body: { error, error_description: description } }
}
