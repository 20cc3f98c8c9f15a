import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { takePoint } from '../../limits/rate-limits.ts'
import { parseJson } from '../../parse-json.ts'
import { fetchBounded, type ProviderAnswer, ProviderUnreachable } from '../bounded-fetch.ts'
import type { AccessTokens } from './account/access-tokens.ts'
import type { LimitPauses } from './limit-pauses.ts'

const bounds = { timeoutMs: 8_000, maxBytes: 4 * 1024 * 1024 }

/** One request. `missing` is thrown where nothing is found (404, or 400 for an id that it cannot read). */
interface WebApiRead<Schema extends z.ZodType> {
  path: string
  query?: Record<string, string | number>
  schema: Schema
  missing?: AppError
  /** Thrown instead of the general error where Spotify refuses the user (403). */
  refused?: AppError
}

/** Reads Spotify's Web API for users. */
export interface WebApi {
  /**
   * Reads with the user's token, which is refreshed once if Spotify refuses it. Never waits for a rate limit: while one
   * is reached, every read fails at once.
   * @throws AppError not_connected, must_reconnect, rate_limited, provider_limit with the time left, provider_failed
   */
  read<Schema extends z.ZodType>(userId: string, request: WebApiRead<Schema>): Promise<z.output<Schema>>
  /** Reads with a token that is not stored yet. @throws AppError */
  readWith<Schema extends z.ZodType>(token: string, request: WebApiRead<Schema>): Promise<z.output<Schema>>
}

interface WebApiParts {
  apiUrl: string
  clock: Clock
  logger: Logger
  tokens: AccessTokens
  pauses: LimitPauses
  /** Bounds the requests of one user. */
  reads: Parameters<typeof takePoint>[0]
}

export function createWebApi(parts: WebApiParts): WebApi {
  const { apiUrl, clock, tokens, pauses, reads } = parts

  const send = async (
    token: string,
    { path, query = {} }: WebApiRead<z.ZodType>,
  ): Promise<ProviderAnswer> => {
    const url = new URL(`${apiUrl}/v1/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    try {
      return await fetchBounded(url.href, { headers }, bounds)
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error
      parts.logger.warn({ path, reason: error.message }, 'Spotify did not answer; answering with an error')
      throw new AppError('provider_failed', spotifyMessages.noAnswer)
    }
  }

  const readAnswer = <Schema extends z.ZodType>(
    answer: ProviderAnswer,
    request: WebApiRead<Schema>,
    userId: string | null,
  ): z.output<Schema> => {
    const { status, text } = answer
    if (status === 429) throw toLimitError(pauses.add(userId, answer, clock.now()), clock.now())
    if (status !== 200) {
      const error = toAppError(answer, request)
      parts.logger.warn({ path: request.path, status }, 'Spotify refused a request; answering with an error')
      throw error
    }
    const parsed = request.schema.safeParse(parseJson(text))
    if (!parsed.success) throw new AppError('provider_failed', spotifyMessages.unreadable)
    return parsed.data
  }

  return {
    async read(userId, request) {
      const pausedUntil = pauses.until(userId, clock.now())
      if (pausedUntil !== null) throw toLimitError(pausedUntil, clock.now())
      await takePoint(reads, userId)
      const { access_token: token } = await tokens.get(userId)
      const first = await send(token, request)
      if (first.status !== 401) return readAnswer(first, request, userId)
      const { access_token: renewed } = await tokens.get(userId, token)
      return readAnswer(await send(renewed, request), request, userId)
    },
    readWith: async (token, request) => readAnswer(await send(token, request), request, null),
  }
}

function toLimitError(untilMs: number, nowMs: number): AppError {
  const retryAfterMs = Math.max(1, Math.ceil(untilMs - nowMs))
  return new AppError('provider_limit', spotifyMessages.limitReached, { retryAfterMs })
}

/** The provider's own messages are only compared, never shown. */
function toAppError({ status, text }: ProviderAnswer, request: WebApiRead<z.ZodType>): AppError {
  if ((status === 404 || status === 400) && request.missing) return request.missing
  if (status === 403) {
    if (/not be registered|not registered/i.test(text))
      return new AppError('provider_failed', spotifyMessages.notListed)
    if (/premium subscription required for the owner/i.test(text)) {
      return new AppError('provider_failed', spotifyMessages.ownerNeedsPremium)
    }
    return request.refused ?? new AppError('provider_failed', spotifyMessages.refused)
  }
  return new AppError('provider_failed', status === 401 ? spotifyMessages.refused : spotifyMessages.noAnswer)
}
