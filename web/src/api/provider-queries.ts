import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Source } from '@earshot/core/protocol/entities'
import type { PlaylistPage } from '@earshot/core/protocol/providers'
import { callApi } from './call-api.ts'
import { countedByProvider } from './queries.ts'
import { providerTimeoutMs } from './timed-fetch.ts'

/** Reads of the providers' accounts and music. */

const optionsOf = (signal: AbortSignal) => ({ signal, timeoutMs: providerTimeoutMs })

/** The signed-in user's Spotify account; read again when the user returns from connecting it in another tab. */
export const spotifyQuery = queryOptions({
  queryKey: ['spotify'],
  queryFn: async ({ signal }) => (await callApi('GET /api/spotify', {}, { signal })).connection,
  refetchOnWindowFocus: 'always',
})

/** The signed-in user's YouTube connection, with the searches that are left today. */
export const youtubeQuery = queryOptions({
  queryKey: ['youtube'],
  queryFn: async ({ signal }) => (await callApi('GET /api/youtube', {}, { signal })).connection,
})

/** Reads what a pasted link leads to. */
export const linkQuery = (url: string) =>
  queryOptions({
    queryKey: ['link', url],
    queryFn: async ({ signal }) =>
      (await callApi('POST /api/links', { body: { url } }, optionsOf(signal))).target,
    ...countedByProvider,
  })

/** The user's own Spotify playlists, in pages. */
export const ownPlaylistsQuery = infiniteQueryOptions({
  queryKey: ['spotify', 'playlists'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /api/spotify/playlists', { query: { offset: pageParam } }, optionsOf(signal)),
  initialPageParam: 0,
  getNextPageParam: (page) => page.nextOffset,
  ...countedByProvider,
})

/** Reads the tracks of a playlist, in parts; `firstPage` where it is known already. */
export const playlistQuery = (source: Source, playlistId: string, firstPage?: PlaylistPage) =>
  infiniteQueryOptions({
    queryKey: ['playlist', source, playlistId],
    queryFn: async ({ pageParam, signal }) => {
      const input = { params: { source, playlistId }, query: { cursor: pageParam ?? undefined } }
      return (await callApi('GET /api/playlists/:source/:playlistId', input, optionsOf(signal))).page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: PlaylistPage) => page.nextCursor,
    initialData: firstPage && { pages: [firstPage], pageParams: [null] },
    ...countedByProvider,
  })

/** Reads the same song in other sources, best first. */
export const matchesQuery = (trackId: string) =>
  queryOptions({
    queryKey: ['matches', trackId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/tracks/:trackId/matches', { params: { trackId } }, { signal })).matches,
    ...countedByProvider,
  })
