import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import type { Logger } from 'pino'
import type { Db } from '../../../db/database.ts'
import { acquireRefreshLease, releaseRefreshLease, replaceTokens } from '../../../db/spotify-accounts.ts'
import { newId } from '../../../ids.ts'
import type { StoredAccounts, UsableTokens } from './stored-accounts.ts'
import { type SpotifyTokens, type TokenEndpoint, TokenError } from './token-endpoint.ts'
import { serverLimits } from '../../../server-limits.ts'

/** Longer than a refresh can take. A process that is killed while it refreshes blocks others this long. */
const leaseMs = 25_000
/** How often a process looks whether another one has refreshed, and how many times. */
const pollMs = 150
const pollCount = 180
/** The refresh then goes on: its answer may hold the only refresh token that is still valid. */
const longestWaitMs = 8_000

/** Access tokens that are valid now (decision 037). */
export interface AccessTokens {
  /**
   * Returns the user's access token, refreshed if it is about to expire, or if it is `rejected`, which Spotify refused.
   * One refresh runs per user at a time, in all processes. A refresh that fails for now keeps the tokens.
   * @throws AppError not_connected, must_reconnect, provider_failed or provider_limit
   */
  get(userId: string, rejected?: string): Promise<SpotifyTokens>
}

interface AccessTokensParts {
  db: Db
  clock: Clock
  logger: Logger
  accounts: StoredAccounts
  endpoint: TokenEndpoint
  /** How long a request waits for a refresh, ms. Set by tests only. */
  waitMs?: number
}

export function createAccessTokens(parts: AccessTokensParts): AccessTokens {
  const { clock, accounts, waitMs = longestWaitMs } = parts
  const running = new Map<string, Promise<SpotifyTokens>>()

  const isFresh = ({ tokens }: UsableTokens, rejected: string | undefined): boolean =>
    tokens.access_token !== rejected && tokens.expires_at - serverLimits.spotifyTokenMarginMs > clock.now()

  const requireTokens = async (userId: string): Promise<UsableTokens> => {
    const account = await accounts.find(userId)
    if (!account) throw new AppError('not_connected', spotifyMessages.notConnected)
    if (!account.usable) throw mustReconnect()
    return account.usable
  }

  /** Refreshes, or waits for another process that does. */
  const refresh = async (userId: string, rejected: string | undefined): Promise<SpotifyTokens> => {
    for (let poll = 0; poll < pollCount; poll += 1) {
      const found = await requireTokens(userId)
      if (isFresh(found, rejected)) return found.tokens
      const refreshed = await refreshUnderLease(parts, userId, found)
      if (refreshed) return refreshed
      await delay(pollMs)
    }
    throw new AppError('provider_failed', spotifyMessages.noAnswer)
  }

  return {
    async get(userId, rejected) {
      const found = await requireTokens(userId)
      if (isFresh(found, rejected)) return found.tokens
      const underWay = running.get(userId) ?? refresh(userId, rejected).finally(() => running.delete(userId))
      running.set(userId, underWay)
      return await waitFor(underWay, waitMs)
    },
  }
}

/** Resolves to null where another process refreshes, or where the tokens were replaced meanwhile. */
async function refreshUnderLease(
  { db, clock, logger, accounts, endpoint }: AccessTokensParts,
  userId: string,
  { tokens, sealed }: UsableTokens,
): Promise<SpotifyTokens | null> {
  const lease = { userId, leaseId: newId() }
  const nowMs = clock.now()
  if (!(await acquireRefreshLease(db, lease, { sealed, nowMs, untilMs: nowMs + leaseMs }))) return null
  try {
    if (tokens.refresh_token === null) throw new TokenError('No refresh token', 'invalid_grant')
    const refreshed = await endpoint.refresh(tokens.refresh_token)
    const after = accounts.seal(userId, refreshed)
    return (await replaceTokens(db, userId, { before: sealed, after })) ? refreshed : null
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    if (error.code !== 'invalid_grant') {
      logger.warn(
        { userId, reason: error.message },
        'Could not refresh a Spotify token; keeping it for the next request',
      )
      throw toAppError(error)
    }
    const hasEnded = await replaceTokens(db, userId, { before: sealed, after: null })
    if (!hasEnded) return null
    logger.info({ userId, reason: error.message }, 'A Spotify consent has ended; its user must connect again')
    throw mustReconnect()
  } finally {
    await releaseRefreshLease(db, lease)
  }
}

/** @throws AppError provider_failed where the refresh takes longer than `waitMs` */
async function waitFor(refresh: Promise<SpotifyTokens>, waitMs: number): Promise<SpotifyTokens> {
  const isOver = new AbortController()
  const late = delay(waitMs, null, { signal: isOver.signal }).then(() => {
    throw new AppError('provider_failed', spotifyMessages.noAnswer)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([refresh, late])
  } finally {
    isOver.abort()
  }
}

const mustReconnect = (): AppError => new AppError('must_reconnect', spotifyMessages.mustReconnect)

function toAppError({ retryAfterMs }: TokenError): AppError {
  return retryAfterMs === null
    ? new AppError('provider_failed', spotifyMessages.noAnswer)
    : new AppError('provider_limit', undefined, { retryAfterMs })
}
