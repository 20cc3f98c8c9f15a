import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createTextSealer } from '../../crypto/text-sealer.ts'
import type { Db } from '../../db/database.ts'
import { deleteSpotifyAccount } from '../../db/spotify-accounts.ts'
import { deleteConsents } from '../../db/spotify-consents.ts'
import type { Env } from '../../env/env.ts'
import { createSharedRateLimiter } from '../../limits/rate-limits.ts'
import type { TrackProvider } from '../provider.ts'
import { type AccessTokens, createAccessTokens } from './account/access-tokens.ts'
import { createLimitPauses } from './limit-pauses.ts'
import { type SpotifyPlaylists, createSpotifyPlaylists } from './playlists.ts'
import { type SpotifyConnections, createSpotifyConnections } from './account/spotify-connections.ts'
import { createSpotifyProvider } from './spotify-provider.ts'
import { type StoredAccounts, createStoredAccounts } from './account/stored-accounts.ts'
import { type SpotifyCredentials, createTokenEndpoint } from './account/token-endpoint.ts'
import { createWebApi } from './web-api.ts'
import { otherRates } from '../../limits/rates.ts'

const notConfigured =
  "Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET in the server's environment to use Spotify."

/** Spotify on this server. */
export interface Spotify {
  provider: TrackProvider
  /** Forgets a user's tokens, with and without credentials. Spotify has no call that revokes them. */
  disconnect(userId: string): Promise<void>
  /** The parts that need the app's credentials; null where they are not configured. */
  app: SpotifyApp | null
}

export interface SpotifyApp {
  accounts: StoredAccounts
  connections: SpotifyConnections
  tokens: AccessTokens
  playlists: SpotifyPlaylists
}

interface SpotifyParts {
  env: Pick<Env, 'spotify' | 'previousSecrets' | 'publicUrl'>
  db: Db
  clock: Clock
  logger: Logger
  secret: string
  /** For limits shared by all processes; null where there is one process. */
  redis: Redis | null
  /** Returns the address that browsers use; called once the server listens. */
  origin: () => string
}

/** Builds the parts of Spotify. Without credentials only a source that is not available. */
export function createSpotify(parts: SpotifyParts): Spotify {
  const { credentials } = parts.env.spotify
  const disconnect = async (userId: string): Promise<void> => {
    await deleteConsents(parts.db, userId)
    await deleteSpotifyAccount(parts.db, userId)
  }
  if (credentials === null) return { provider: unavailable, app: null, disconnect }
  warnOfRefusedRedirect(parts)
  return { ...openSpotify(parts, credentials), disconnect }
}

/** Spotify takes https addresses, and plain http only where the host is a loopback address in numbers. */
function warnOfRefusedRedirect({ env, logger }: SpotifyParts): void {
  const address = env.spotify.redirectUri ?? env.publicUrl
  const url = address === null ? null : new URL(address)
  if (!url || url.protocol === 'https:' || /^(?:127\.0\.0\.1|\[::1\])$/.test(url.hostname)) return
  const remedy = 'open Earshot under https or http://127.0.0.1, and set PUBLIC_URL to that address'
  logger.warn({ address }, `Spotify refuses this redirect address, so nobody can connect: ${remedy}`)
}

const unavailable: TrackProvider = {
  source: 'spotify',
  status: () => ({ source: 'spotify', available: false, reason: notConfigured }),
  search: async () => {
    throw spotifyUnavailable()
  },
}

export const spotifyUnavailable = (): AppError => new AppError('source_unavailable', notConfigured)

function openSpotify(parts: SpotifyParts, credentials: SpotifyCredentials): Omit<Spotify, 'disconnect'> {
  const { env, db, clock, logger, secret, redis } = parts
  const { accountsUrl, apiUrl, redirectUri } = env.spotify
  const { previousSecrets } = env
  const sealer = createTextSealer({ secret, previousSecrets, purpose: 'spotify-tokens' })
  const accounts = createStoredAccounts({ db, clock, sealer })
  const endpoint = createTokenEndpoint({ accountsUrl, credentials, clock })
  const tokens = createAccessTokens({ db, clock, logger, accounts, endpoint })
  const pauses = createLimitPauses()
  const reads = createSharedRateLimiter('spotify-reads', otherRates.spotifyReads, redis)
  const webApi = createWebApi({ apiUrl, clock, logger, tokens, pauses, reads })
  const playlists = createSpotifyPlaylists({ db, clock, webApi })
  const connections = createSpotifyConnections({
    db,
    clock,
    logger,
    sealer,
    accounts,
    endpoint,
    webApi,
    accountsUrl,
    clientId: credentials.clientId,
    redirectUri: () => redirectUri ?? `${parts.origin()}/callback`,
  })
  const provider = createSpotifyProvider({ db, clock, accounts, webApi, pauses, playlists })
  return { provider, app: { accounts, connections, tokens, playlists } }
}
