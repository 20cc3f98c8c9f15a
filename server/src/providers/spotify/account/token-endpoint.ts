import type { Clock } from '@earshot/core/clock'
import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  refreshTokenGrantRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { z } from 'zod'
import { parseJson } from '../../../parse-json.ts'
import { fetchBounded, ProviderUnreachable, readRetryAfterMs } from '../../bounded-fetch.ts'

/** Of both attempts together: less than a refresh lease, and than the page waits for a connection (15.13). */
const timeoutMs = 20_000
const bounds = { timeoutMs, maxBytes: 64 * 1024 }
const defaultLifetimeS = 3_600

/** The stored fields of a token answer (3.6). `expires_at` in ms. */
export const spotifyTokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullable(),
  expires_at: z.number(),
})
export type SpotifyTokens = z.infer<typeof spotifyTokensSchema>

/** Why Spotify issued no tokens; the message is one of 8.7 and holds no secret. */
export class TokenError extends Error {
  /** The code of the error's body, for example `invalid_grant`. */
  readonly code: string | null
  readonly retryAfterMs: number | null

  constructor(message: string, code: string | null = null, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'TokenError'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export interface TokenEndpoint {
  /** Exchanges an authorisation code for tokens (7.11). @throws TokenError */
  exchange(grant: { code: string; verifier: string; redirectUri: string }): Promise<SpotifyTokens>
  /** Exchanges a refresh token; keeps it where no other is returned. @throws TokenError */
  refresh(refreshToken: string): Promise<SpotifyTokens>
}

/** The app's, from the dashboard of Spotify. */
export interface SpotifyCredentials {
  clientId: string
  clientSecret: string
}

interface TokenEndpointParts {
  accountsUrl: string
  credentials: SpotifyCredentials
  clock: Clock
}

const tokenAnswerSchema = z.object({
  access_token: z.string().nullish(),
  refresh_token: z.string().min(1).nullish().catch(null),
  expires_in: z.coerce.number().positive().nullish().catch(null),
})
const errorAnswerSchema = z.object({
  error: z.string().nullish().catch(null),
  error_description: z.string().nullish().catch(null),
})

/** Creates the client of Spotify's token endpoint. Sends Basic credentials, and after a 401 those in the body. */
export function createTokenEndpoint({ accountsUrl, credentials, clock }: TokenEndpointParts): TokenEndpoint {
  const { clientId, clientSecret } = credentials
  const server: AuthorizationServer = { issuer: accountsUrl, token_endpoint: `${accountsUrl}/api/token` }
  const client: Client = { client_id: clientId }
  const options = {
    [customFetch]: fetchToken,
    // Only for test doubles and proxies on the same machine: the provider's own address is https.
    [allowInsecureRequests]: accountsUrl.startsWith('http:'),
  }
  const clientAuths = [plainBasic(clientSecret), ClientSecretPost(clientSecret)] as const

  /** Sends a request, and after a 401 once more with the credentials in the body. */
  const request = async (
    send: (auth: ClientAuth, sendOptions: typeof options & { signal: AbortSignal }) => Promise<Response>,
  ): Promise<SpotifyTokens> => {
    const sendOptions = { ...options, signal: AbortSignal.timeout(timeoutMs) }
    const first = await send(clientAuths[0], sendOptions)
    const answer = first.status === 401 ? await send(clientAuths[1], sendOptions) : first
    return readTokens(answer, clock.now())
  }

  return {
    exchange: async ({ code, verifier, redirectUri }) => {
      // The state was checked when it was taken from the database.
      const callback = validateAuthResponse(server, client, new URLSearchParams({ code }))
      return request((auth, sendOptions) =>
        authorizationCodeGrantRequest(server, client, auth, callback, redirectUri, verifier, sendOptions),
      )
    },
    async refresh(refreshToken) {
      const tokens = await request((auth, sendOptions) =>
        refreshTokenGrantRequest(server, client, auth, refreshToken, sendOptions),
      )
      return { ...tokens, refresh_token: tokens.refresh_token ?? refreshToken }
    },
  }
}

/** Spotify takes the id and secret as they are; the library's own function would escape them first. */
const plainBasic =
  (secret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`)
  }

async function fetchToken(url: string, init: RequestInit): Promise<Response> {
  try {
    const { status, headers, text } = await fetchBounded(url, init, bounds)
    // A Response cannot have these as its status with a body, nor one below 200.
    const hasBody = ![204, 205, 304].includes(status)
    return new Response(hasBody ? text : null, { status, headers })
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw new TokenError('Spotify did not answer')
    throw error
  }
}

async function readTokens(answer: Response, nowMs: number): Promise<SpotifyTokens> {
  const json = parseJson(await answer.text())
  if (!answer.ok) throw readError(answer, json, nowMs)
  const parsed = tokenAnswerSchema.safeParse(json)
  if (!parsed.success) throw new TokenError('Failed to parse token response')
  const { access_token, refresh_token, expires_in } = parsed.data
  if (!access_token) throw new TokenError('Failed to get access token: No token in response')
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    expires_at: Math.round(nowMs + (expires_in ?? defaultLifetimeS) * 1_000),
  }
}

function readError({ status, headers }: Response, json: unknown, nowMs: number): TokenError {
  const { error, error_description } = errorAnswerSchema.safeParse(json).data ?? {}
  const message = error_description || `Failed to get access token: ${status}`
  const retryAfterMs = status === 429 ? readRetryAfterMs(headers, nowMs) : null
  return new TokenError(message.slice(0, 300), error ?? null, retryAfterMs)
}
