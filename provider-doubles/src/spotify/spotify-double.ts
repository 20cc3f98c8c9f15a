import { startDoubleServer, type RecordedCall } from '../double-server.ts'
import type { Fault } from '../faults.ts'
import { AccountsState, ShiftedClock, type SpotifyApp, type SpotifyUser } from './accounts-state.ts'
import { addAuthorizePage } from './authorize-page.ts'
import { catalogue, type CatalogueTrack } from './catalogue.ts'
import { consentTo, type Decision } from './consent.ts'
import { defaultPlaylists, type DoublePlaylist } from './playlists.ts'
import { addTokenEndpoint } from './token-endpoint.ts'
import { addWebApi } from './web-api.ts'
import { WebApiJson } from './web-api-json.ts'
import type { WebApiSettings, WebApiState } from './web-api-state.ts'

export interface SpotifyDoubleOptions {
  /** Default: any free port. */
  port?: number
  /** Default: one app, `defaultApp`. */
  apps?: SpotifyApp[]
  /** Default: `defaultUsers`. */
  users?: SpotifyUser[]
  /** Default: four per user, and one of somebody else (`foreignPlaylist`). */
  playlists?: DoublePlaylist[]
  /** Default: `catalogue`. */
  tracks?: CatalogueTrack[]
  /** Where images lie. Default: the provider's own address, which tests do not reach. */
  imagesUrl?: string
}

/** The app that the double knows by default: any port of the loopback address may be its callback. */
export const defaultApp: SpotifyApp = {
  clientId: '5fe01282e44241328a84e7c5cc169165',
  clientSecret: '3f2b0c9c5c8f4f0e9c5d2a7b6e1d0f4a',
  redirectUris: ['http://127.0.0.1/callback'],
}

/** The first is who signs in by default. */
export const defaultUsers: readonly SpotifyUser[] = [
  { id: 'premium-paula', displayName: 'Paula', isPremium: true, isAllowListed: true },
  { id: 'premium-pedro', displayName: 'Pedro', isPremium: true, isAllowListed: true },
  { id: 'premium-priya', displayName: 'Priya', isPremium: true, isAllowListed: true },
  { id: 'free-frieda', displayName: 'Frieda', isPremium: false, isAllowListed: true },
  { id: 'unlisted-uma', displayName: null, isPremium: true, isAllowListed: false },
]

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

/** A playlist whose entries no user of the double may read. */
export const foreignPlaylist: DoublePlaylist = {
  id: '37i9dQZF1DXcBWIGoYBM5M',
  name: "Today's Top Hits",
  ownerId: 'spotify',
  isCollaborative: false,
  entries: catalogue.slice(0, 10).map(({ id }) => ({ kind: 'track', trackId: id })),
}

/** A stand-in for Spotify: accounts service, Web API and Web Playback SDK behind one address. */
export interface SpotifyDouble {
  accountsUrl: string
  apiUrl: string
  /** The address of the Web Playback SDK's script. */
  sdkUrl: string
  /** The app to configure. */
  app: SpotifyApp
  /** Every request so far. */
  calls: RecordedCall[]
  control: SpotifyControl
  close: () => Promise<void>
}

/** Changes what the double does, at any time. */
export interface SpotifyControl {
  accounts: AccountsState['settings']
  webApi: WebApiSettings
  /** Whom the double knows; may be changed, for example to end somebody's Premium. */
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
}

/** Starts a stand-in for Spotify on the loopback address. */
export async function startSpotifyDouble(options: SpotifyDoubleOptions = {}): Promise<SpotifyDouble> {
  const { apps = [defaultApp], tracks = [...catalogue] } = options
  const users = options.users ?? defaultUsers.map((user) => ({ ...user }))
  const playlists = options.playlists ?? [...users.flatMap(({ id }) => defaultPlaylists(id)), foreignPlaylist]
  const [app = defaultApp] = apps
  const clock = new ShiftedClock()
  const accounts = new AccountsState(apps, users, clock)
  const settings: WebApiSettings = { foreignPlaylists: 'forbidden', usesOldFieldNames: false }
  const server = await startDoubleServer((routes, origin) => {
    const json = new WebApiJson(origin, options.imagesUrl ?? 'https://i.scdn.co/image')
    const webApi: WebApiState = { accounts, tracks, playlists, settings, json }
    addAuthorizePage(routes, accounts)
    addTokenEndpoint(routes, accounts)
    addWebApi(routes, webApi)
  }, options.port)
  const { origin, calls, faults, close } = server
  return {
    accountsUrl: origin,
    apiUrl: origin,
    sdkUrl: `${origin}/spotify-player.js`,
    app,
    calls,
    control: {
      accounts: accounts.settings,
      webApi: settings,
      users,
      playlists,
      tracks,
      fail: (target, fault, times) => faults.add(target, fault, times),
      clearFaults: () => faults.clear(),
      advanceClock: (ms) => clock.advance(ms),
      expireAccessTokens: (userId) => accounts.expireAccessTokens(userId),
      revokeConsent: (userId) => accounts.revokeConsent(userId),
      issueAccessToken: (userId, scopes = playerScopes) =>
        accounts.issueAccessToken({ clientId: app.clientId, userId, scopes, consentedAt: clock.now() }),
      consentTo,
    },
    close,
  }
}
