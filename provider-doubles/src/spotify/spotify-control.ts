/// <reference types="spotify-web-playback-sdk" />
import type { DoubleServer } from '../double-server.ts'
import type { Fault } from '../faults.ts'
import type { AccountsSettings, AccountsState, SpotifyUser } from './accounts-state.ts'
import type { CatalogueTrack } from './catalogue.ts'
import { consentTo, type Decision } from './consent.ts'
import type { CommandSettings, PlaybackSessions } from './playback-sessions.ts'
import type { DoublePlaylist } from './playlists.ts'
import type { SdkSettings } from './sdk/messages.ts'
import type { WebApiSettings, WebApiState } from './web-api-state.ts'

/** Changes what the double does, at any time. */
export interface SpotifyControl {
  accounts: AccountsSettings
  webApi: WebApiSettings
  /** May be changed, for example to end somebody's Premium. */
  users: SpotifyUser[]
  playlists: DoublePlaylist[]
  tracks: CatalogueTrack[]
  /** Switches a fault on, see `Faults.add` and `spotify-faults.ts`. */
  fail(target: string, fault: Fault, times?: number): void
  clearFaults(): void
  /** Moves the double's clock forward: tokens expire, consents end. */
  advanceClock(ms: number): void
  expireAccessTokens(userId: string): void
  revokeConsent(userId: string): void
  /** Issues an access token without the consent page. Default: with every scope that playing needs. */
  issueAccessToken(userId: string, scopes?: string[]): string
  /** Opens the consent page and presses a button, without a browser. Returns the address that it redirects to. */
  consentTo(authorizeUrl: string, decision?: Decision): Promise<string>
  commands: CommandSettings
  /** Changes the behaviour of all players, also of those that are connected. */
  configureSdk(changes: Partial<SdkSettings>): void
  /** Raises one of the SDK's error events in the user's players. */
  raisePlayerError(userId: string, event: Spotify.ErrorTypes, message: string): void
  /** Takes the user's players offline (`not_ready`), or back online (`ready`). */
  setDevicesOnline(userId: string, isOnline: boolean): void
  /** Adds a device of the user that is not in a browser. Playing on it makes the others inactive. @returns its id */
  addPhone(userId: string): string
}

/** The scopes that a client needs to play and to list playlists. */
const playerScopes = [
  'streaming',
  'user-read-email',
  'user-read-private',
  'user-read-playback-state',
  'user-modify-playback-state',
  'playlist-read-private',
  'playlist-read-collaborative',
]

interface Parts {
  server: DoubleServer
  accounts: AccountsState
  webApi: WebApiState
  sessions: PlaybackSessions
}

export function createSpotifyControl(parts: Parts): SpotifyControl {
  return { ...controlAnswers(parts), ...controlAccounts(parts), ...controlPlayers(parts) }
}

function controlAnswers({ server: { faults }, accounts, webApi }: Parts) {
  return {
    accounts: accounts.settings,
    webApi: webApi.settings,
    users: accounts.users,
    playlists: webApi.playlists,
    tracks: webApi.tracks,
    fail: (target: string, fault: Fault, times?: number) => faults.add(target, fault, times),
    clearFaults: () => faults.clear(),
  }
}

function controlAccounts({ accounts, sessions }: Parts) {
  const thenCheckTokens = (change: () => void) => {
    change()
    sessions.checkTokens()
  }
  return {
    advanceClock: (ms: number) => thenCheckTokens(() => accounts.clock.advance(ms)),
    expireAccessTokens: (userId: string) => thenCheckTokens(() => accounts.expireAccessTokens(userId)),
    revokeConsent: (userId: string) => thenCheckTokens(() => accounts.revokeConsent(userId)),
    issueAccessToken: (userId: string, scopes = playerScopes) => {
      const clientId = accounts.apps[0]?.clientId ?? ''
      return accounts.issueAccessToken({ clientId, userId, scopes, consentedAt: accounts.clock.now() })
    },
    consentTo,
  }
}

function controlPlayers({ sessions }: Parts) {
  return {
    commands: sessions.settings,
    configureSdk: (changes: Partial<SdkSettings>) => {
      sessions.sdkSettings = { ...sessions.sdkSettings, ...changes }
      sessions.notify(null, { type: 'settings', settings: sessions.sdkSettings })
    },
    raisePlayerError: (userId: string, event: Spotify.ErrorTypes, message: string) =>
      sessions.notify(userId, { type: 'error', event, message }),
    setDevicesOnline: (userId: string, isOnline: boolean) => sessions.setOnline(userId, isOnline),
    addPhone: (userId: string) => sessions.register(userId, 'Phone', 1, null).device.id,
  }
}
