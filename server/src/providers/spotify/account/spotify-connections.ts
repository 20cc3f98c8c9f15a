import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import { type SpotifyConnection, spotifyScopes } from '@earshot/core/protocol/providers'
import type { Logger } from 'pino'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Session } from '../../../auth/session.ts'
import type { TextSealer } from '../../../crypto/text-sealer.ts'
import { hashToken } from '../../../crypto/tokens.ts'
import type { Db } from '../../../db/database.ts'
import { insertProfile } from '../../../db/profiles.ts'
import { insertConsent, takeConsent } from '../../../db/spotify-consents.ts'
import { profileAnswerSchema } from '../answers.ts'
import type { StoredAccounts } from './stored-accounts.ts'
import { type SpotifyTokens, type TokenEndpoint, TokenError } from './token-endpoint.ts'
import type { WebApi } from '../web-api.ts'
import { serverLimits } from '../../../server-limits.ts'

/** Connects the users' Spotify accounts (7.10, 7.11). */
export interface SpotifyConnections {
  /** Returns the address of Spotify's consent page, with a state that this session can use once, for 10 minutes. */
  authorize(session: Session): Promise<string>
  /**
   * Exchanges the code that came back with a state, and stores the tokens. @throws AppError invalid_input for a state
   * that is not this session's, or was used; provider_failed with a text of 8.7
   */
  connect(session: Session, callback: { code: string; state: string }): Promise<void>
}

interface SpotifyConnectionsParts {
  db: Db
  clock: Clock
  logger: Logger
  sealer: TextSealer
  accounts: StoredAccounts
  endpoint: TokenEndpoint
  webApi: WebApi
  accountsUrl: string
  clientId: string
  /** Returns the address that Spotify sends users back to. */
  redirectUri: () => string
}

export function createSpotifyConnections(parts: SpotifyConnectionsParts): SpotifyConnections {
  const { db, clock, logger, sealer, accounts, endpoint } = parts

  const exchange = async (grant: Parameters<TokenEndpoint['exchange']>[0]): Promise<SpotifyTokens> => {
    try {
      return await endpoint.exchange(grant)
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      logger.warn({ reason: error.message }, 'Spotify refused an authorization code; answering with an error')
      throw new AppError('provider_failed', `Token exchange failed: ${error.message}`)
    }
  }

  return {
    async authorize({ id: sessionId, user }) {
      const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()]
      const redirectUri = parts.redirectUri()
      const nowMs = Math.round(clock.now())
      const stateHash = hashToken(state)
      const consent = {
        state_hash: stateHash,
        user_id: user.id,
        session_id: sessionId,
        verifier: sealer.seal(verifier, stateHash),
        redirect_uri: redirectUri,
        created_at: nowMs,
      }
      const bounds = {
        keep: serverLimits.spotifyConsentsPending,
        expiredBefore: nowMs - serverLimits.spotifyConsentPendingMs,
      }
      await insertConsent(db, consent, bounds)
      return toConsentUrl(parts, {
        state,
        redirectUri,
        challenge: await calculatePKCECodeChallenge(verifier),
      })
    },

    async connect({ id: sessionId, user }, { code, state }) {
      const stateHash = hashToken(state)
      const consent = await takeConsent(db, { stateHash, userId: user.id, sessionId })
      const verifier = sealer.open(consent?.verifier ?? '', stateHash)?.text
      const expiredBefore = clock.now() - serverLimits.spotifyConsentPendingMs
      if (!consent || verifier === undefined || consent.created_at < expiredBefore) {
        throw new AppError('invalid_input', spotifyMessages.consentUsed)
      }
      const tokens = await exchange({ code, verifier, redirectUri: consent.redirect_uri })
      const displayName = await readDisplayName(parts, tokens)
      // Where it could not be created at sign-up (8.11).
      await insertProfile(db, { ...user, createdAtMs: clock.now() })
      await accounts.store(user.id, { tokens, displayName })
    },
  }
}

/** Describes an account to its user. */
export async function describeConnection(
  accounts: StoredAccounts | null,
  userId: string,
): Promise<SpotifyConnection> {
  const account = (await accounts?.find(userId)) ?? null
  const isUsable = account !== null && account.usable !== null
  return {
    isConnected: isUsable,
    displayName: account?.displayName ?? null,
    authorizedAt: account?.authorizedAt ?? null,
    expiresSoon: account?.expiresSoon ?? false,
    mustReconnect: account !== null && !isUsable,
  }
}

function toConsentUrl(
  { accountsUrl, clientId }: SpotifyConnectionsParts,
  { state, redirectUri, challenge }: { state: string; redirectUri: string; challenge: string },
): string {
  const url = new URL(`${accountsUrl}/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: spotifyScopes.join(' '),
    redirect_uri: redirectUri,
    show_dialog: 'true',
    state,
    code_challenge_method: 'S256',
    code_challenge: challenge,
  }).toString()
  return url.href
}

const refusalsOfApp: readonly string[] = [spotifyMessages.notListed, spotifyMessages.ownerNeedsPremium]

/**
 * Reads the account's name; null where Spotify does not return it now. @throws AppError where Spotify admits this account
 * to nothing, so that connecting it would not help
 */
async function readDisplayName(
  { webApi }: SpotifyConnectionsParts,
  tokens: SpotifyTokens,
): Promise<string | null> {
  try {
    const request = { path: 'me', schema: profileAnswerSchema }
    return (await webApi.readWith(tokens.access_token, request)).display_name ?? null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (refusalsOfApp.includes(error.message)) throw error
    return null
  }
}
