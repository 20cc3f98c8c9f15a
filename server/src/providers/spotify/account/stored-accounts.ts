import type { Clock } from '@earshot/core/clock'
import type { TextSealer } from '../../../crypto/text-sealer.ts'
import type { Db } from '../../../db/database.ts'
import { findSpotifyAccount, resealTokens, storeSpotifyAccount } from '../../../db/spotify-accounts.ts'
import { parseJson } from '../../../parse-json.ts'
import { type SpotifyTokens, spotifyTokensSchema } from './token-endpoint.ts'

/** A consent ends this long after it was given; refreshing tokens does not extend it. */
const consentMonths = 6
const warningMonths = 5

interface StoredAccount {
  displayName: string | null
  /** When the user consented, in ms. */
  authorizedAt: number
  /** The consent will end within a month. */
  expiresSoon: boolean
  /** Null where the user must connect again: the consent has ended, or no known secret opens the tokens. */
  usable: UsableTokens | null
}

export interface UsableTokens {
  tokens: SpotifyTokens
  /** The tokens as they are stored: they change whenever the tokens do. */
  sealed: string
}

/** The users' Spotify accounts, with their tokens opened. */
export interface StoredAccounts {
  /** Null for a user who is not connected. */
  find(userId: string): Promise<StoredAccount | null>
  /** Stores a new consent, given now. */
  store(userId: string, account: { tokens: SpotifyTokens; displayName: string | null }): Promise<void>
  seal(userId: string, tokens: SpotifyTokens): string
}

interface StoredAccountsParts {
  db: Db
  clock: Clock
  sealer: TextSealer
}

export function createStoredAccounts({ db, clock, sealer }: StoredAccountsParts): StoredAccounts {
  const seal = (userId: string, tokens: SpotifyTokens): string => sealer.seal(JSON.stringify(tokens), userId)

  const open = async (userId: string, sealed: string): Promise<UsableTokens | null> => {
    const opened = sealer.open(sealed, userId)
    const tokens = spotifyTokensSchema.safeParse(parseJson(opened?.text ?? '')).data
    if (!opened || !tokens) return null
    if (!opened.isStale) return { tokens, sealed }
    const after = seal(userId, tokens)
    const isReplaced = await resealTokens(db, userId, { before: sealed, after })
    return { tokens, sealed: isReplaced ? after : sealed }
  }

  return {
    seal,
    async find(userId) {
      const row = await findSpotifyAccount(db, userId)
      if (!row) return null
      const { spotify_tokens: sealed, display_name: displayName, authorized_at: authorizedAt } = row
      const hasEnded = clock.now() >= addMonths(authorizedAt, consentMonths)
      return {
        displayName,
        authorizedAt,
        expiresSoon: clock.now() >= addMonths(authorizedAt, warningMonths),
        usable: sealed === null || hasEnded ? null : await open(userId, sealed),
      }
    },
    async store(userId, { tokens, displayName }) {
      await storeSpotifyAccount(db, userId, {
        spotify_tokens: seal(userId, tokens),
        display_name: displayName,
        authorized_at: Math.round(clock.now()),
      })
    },
  }
}

function addMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs)
  return date.setUTCMonth(date.getUTCMonth() + months)
}
