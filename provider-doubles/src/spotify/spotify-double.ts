import { startDoubleServer, type DoubleServer, type RecordedCall } from '../double-server.ts'
import { AccountsState, ShiftedClock, type SpotifyApp, type SpotifyUser } from './accounts-state.ts'
import { addAuthorizePage } from './authorize-page.ts'
import { catalogue, toSpotifyId, type CatalogueTrack } from './catalogue.ts'
import { PlaybackSessions } from './playback-sessions.ts'
import { addPlayerRoutes } from './player-routes.ts'
import { addControlRoutes } from './control-routes.ts'
import { defaultPlaylists, type DoublePlaylist } from './playlists.ts'
import { addSdkRoutes } from './sdk-routes.ts'
import { createSpotifyControl, type SpotifyControl } from './spotify-control.ts'
import { addTokenEndpoint } from './token-endpoint.ts'
import { addWebApi } from './web-api.ts'
import { WebApiJson } from './web-api-json.ts'
import type { WebApiState } from './web-api-state.ts'

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
  /** Seed of all latencies. Default: 1. */
  seed?: number
  /** Where images lie. Default: the provider's own address, which tests do not reach. */
  imagesUrl?: string
}

/** The app that is registered by default: any port of the loopback address may be its callback. */
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

/** A playlist whose entries no user of the double may read. */
export const foreignPlaylist: DoublePlaylist = {
  id: toSpotifyId('playlist of somebody else'),
  name: "Somebody's Mix",
  ownerId: 'somebody-else',
  isCollaborative: false,
  entries: catalogue.slice(0, 10).map(({ id }) => ({ kind: 'track', trackId: id })),
}

/** A double of Spotify: accounts service, Web API and Web Playback SDK behind one address. */
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

/** Starts a double of Spotify on the loopback address. */
export async function startSpotifyDouble(options: SpotifyDoubleOptions = {}): Promise<SpotifyDouble> {
  const { apps = [defaultApp], tracks = catalogue.map((track) => ({ ...track })) } = options
  const users = options.users ?? defaultUsers.map((user) => ({ ...user }))
  const playlists = options.playlists ?? [...users.flatMap(({ id }) => defaultPlaylists(id)), foreignPlaylist]
  const [app = defaultApp] = apps
  const clock = new ShiftedClock()
  const accounts = new AccountsState(apps, users, clock)
  const sessions = new PlaybackSessions(accounts, options.seed ?? 1)
  const webApi: WebApiState = {
    accounts,
    tracks,
    playlists,
    settings: { foreignPlaylists: 'forbidden', usesOldFieldNames: false },
    json: new WebApiJson(() => server.origin, options.imagesUrl ?? 'https://i.scdn.co/image'),
  }
  const server: DoubleServer = await startDoubleServer((routes) => {
    addAuthorizePage(routes, accounts)
    addTokenEndpoint(routes, accounts)
    addWebApi(routes, webApi)
    addPlayerRoutes(routes, webApi, sessions)
    addSdkRoutes(routes, { accounts, sessions, tracks })
    addControlRoutes(routes, () => control)
  }, options.port)
  const control = createSpotifyControl({ server, accounts, webApi, sessions })
  const { origin, calls } = server
  const tokenCheck = setInterval(() => sessions.checkTokens(), 1_000).unref()
  return {
    accountsUrl: origin,
    apiUrl: origin,
    sdkUrl: `${origin}/spotify-player.js`,
    app,
    calls,
    control,
    close: async () => {
      clearInterval(tokenCheck)
      await server.close()
    },
  }
}
