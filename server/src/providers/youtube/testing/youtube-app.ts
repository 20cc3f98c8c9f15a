import { youtubeSettings } from '@earshot/provider-doubles/server-settings'
import {
  defaultApiKey,
  startYoutubeDouble,
  type YoutubeDouble,
} from '@earshot/provider-doubles/youtube/youtube-double'
import type { Track } from '@earshot/core/protocol/entities'
import type {
  LinkTarget,
  PlaylistPage,
  YoutubeConnection,
  YoutubeConnectResult,
} from '@earshot/core/protocol/providers'
import { onTestFinished } from 'vitest'
import { type AppOptions, type TestApp, type TestUser, signUp, startApp } from '../../../../test/apps.ts'

/** A whole server beside a double of YouTube. */
export interface YoutubeApp {
  app: TestApp
  double: YoutubeDouble
  ann: TestUser
  /** The requests that the double received for a resource such as `search`, oldest first. */
  callsOf: (resource: string) => YoutubeDouble['calls']
}

export const apiPath = '/youtube/v3'

/** @param options.key the server's key; null for none */
export async function startYoutubeApp(
  options: Omit<AppOptions, 'variables'> & { key?: string | null; double?: YoutubeDouble } = {},
): Promise<YoutubeApp> {
  const { key = defaultApiKey, double = await startDouble(), ...rest } = options
  const app = await startApp({ ...rest, variables: youtubeSettings(double, key ?? undefined) })
  return {
    app,
    double,
    ann: await signUp(app, 'ann'),
    callsOf: (resource) => double.calls.filter(({ path }) => path.endsWith(`/${resource}`)),
  }
}

export async function startDouble(
  options: Parameters<typeof startYoutubeDouble>[0] = {},
): Promise<YoutubeDouble> {
  const double = await startYoutubeDouble(options)
  onTestFinished(() => double.close())
  return double
}

interface SearchAnswer {
  tracks: Track[]
  total: number
  nextOffset: number | null
}

/** The calls about YouTube as a user makes them. */
export function callsAs(app: TestApp, user: TestUser) {
  return {
    search: (query: string, offset = 0) =>
      app.call<SearchAnswer>(
        user,
        'GET',
        `/api/tracks?source=youtube&q=${encodeURIComponent(query)}&offset=${offset}`,
      ),
    resolve: async (url: string) =>
      (await app.call<{ target: LinkTarget }>(user, 'POST', '/api/links', { url })).target,
    playlist: async (id: string, cursor?: string) =>
      (
        await app.call<{ page: PlaylistPage }>(
          user,
          'GET',
          `/api/playlists/youtube/${id}${cursor === undefined ? '' : `?cursor=${cursor}`}`,
        )
      ).page,
    connect: async (apiKey?: string) =>
      (await app.call<{ result: YoutubeConnectResult }>(user, 'POST', '/api/youtube/connect', { apiKey }))
        .result,
    disconnect: async () =>
      (await app.call<{ connection: YoutubeConnection }>(user, 'DELETE', '/api/youtube')).connection,
    connection: async () =>
      (await app.call<{ connection: YoutubeConnection }>(user, 'GET', '/api/youtube')).connection,
  }
}
