import { randomBytes } from 'node:crypto'

/** An app as its owner registered it in the dashboard. */
export interface SpotifyApp {
  clientId: string
  clientSecret: string
  /** Compared exactly, except that a loopback literal without a port stands for any port. */
  redirectUris: string[]
  /** Without it the Web API refuses every call. Default: true. */
  ownerHasPremium?: boolean
}

export interface SpotifyUser {
  id: string
  displayName: string | null
  isPremium: boolean
  /** Whether the app's owner has added the user in the dashboard. */
  isAllowListed: boolean
}

/** The rights that a user has given to an app. */
export interface Grant {
  clientId: string
  userId: string
  scopes: string[]
  /** ms since the epoch; refreshing never changes it. */
  consentedAt: number
}

interface AuthorizationCode extends Grant {
  redirectUri: string
  codeChallenge: string | null
  expiresAt: number
}

export interface AccessToken extends Grant {
  expiresAt: number
}

export interface RefreshToken extends Grant {
  state: 'valid' | 'rotated' | 'revoked'
  /** Issued to a client without a secret. */
  isPublic: boolean
}

/** Settings of the accounts service that a test may change at any time. */
export interface AccountsSettings {
  /** Answers 401 to Basic credentials, so that a client must send them in the body. Default: false. */
  refusesBasic: boolean
  /** Whether a refresh replaces the refresh token. Default: for clients without a secret only. */
  rotation: 'public-clients' | 'always' | 'never'
  /** Lifetime of access tokens, s. Default: 3600. */
  expiresInSeconds: number
}

/** The user-visible clock of the double, which tests can move forward. */
export class ShiftedClock {
  #shiftMs = 0

  /** Returns ms since the epoch. */
  now = (): number => Date.now() + this.#shiftMs

  advance(ms: number): void {
    this.#shiftMs += ms
  }
}

/** The state of the accounts service. */
export class AccountsState {
  readonly settings: AccountsSettings = {
    refusesBasic: false,
    rotation: 'public-clients',
    expiresInSeconds: 3_600,
  }
  readonly codes = new Map<string, AuthorizationCode>()
  readonly accessTokens = new Map<string, AccessToken>()
  readonly refreshTokens = new Map<string, RefreshToken>()
  readonly apps: SpotifyApp[]
  readonly users: SpotifyUser[]
  readonly clock: ShiftedClock
  /** The latest consent per user and app: without `show_dialog` it is not asked for again. */
  readonly consents = new Map<string, Grant>()

  constructor(apps: SpotifyApp[], users: SpotifyUser[], clock: ShiftedClock) {
    this.apps = apps
    this.users = users
    this.clock = clock
  }

  issueCode(grant: Grant, redirectUri: string, codeChallenge: string | null): string {
    const code = `AQ${randomBytes(100).toString('base64url')}`
    this.consents.set(consentKey(grant), grant)
    this.codes.set(code, { ...grant, redirectUri, codeChallenge, expiresAt: this.clock.now() + 600_000 })
    return code
  }

  issueAccessToken(grant: Grant): string {
    const token = `BQ${randomBytes(90).toString('base64url')}`
    const expiresAt = this.clock.now() + this.settings.expiresInSeconds * 1_000
    this.accessTokens.set(token, { ...grant, expiresAt })
    return token
  }

  issueRefreshToken(grant: Grant, isPublic: boolean): string {
    const token = `AQ${randomBytes(95).toString('base64url')}`
    this.refreshTokens.set(token, { ...grant, state: 'valid', isPublic })
    return token
  }

  /** Withdraws a user's consent, as the user can on the account's page: all tokens end at once. */
  revokeConsent(userId: string): void {
    for (const [token, grant] of this.accessTokens) {
      if (grant.userId === userId) this.accessTokens.delete(token)
    }
    for (const grant of this.refreshTokens.values()) if (grant.userId === userId) grant.state = 'revoked'
    for (const [key, grant] of this.consents) if (grant.userId === userId) this.consents.delete(key)
  }

  /** Ends the access tokens of a user; refreshing still works. */
  expireAccessTokens(userId: string): void {
    const expiresAt = this.clock.now() - 1
    for (const grant of this.accessTokens.values()) if (grant.userId === userId) grant.expiresAt = expiresAt
  }
}

export const consentKey = ({ userId, clientId }: { userId: string; clientId: string }): string =>
  `${userId} ${clientId}`

/** When a consent ends: six months after it was given. */
export function consentEnd(consentedAt: number): number {
  const date = new Date(consentedAt)
  return date.setUTCMonth(date.getUTCMonth() + 6)
}
