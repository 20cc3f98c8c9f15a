import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { limits } from '@earshot/core/limits'
import { callApi } from './call-api.ts'

/** Reads of the music library by albums and artists. */

const staleTime = 60_000

/** Continues a list at the cursor of its last page. */
const inPages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
}

/** The albums that came last; refetched while the server is scanning its folder. */
export const recentAlbumsQuery = queryOptions({
  queryKey: ['library', 'recent'],
  queryFn: ({ signal }) => callApi('GET /api/library/recent-albums', {}, { signal }),
  staleTime,
  refetchInterval: ({ state }) => (state.data?.isScanning ? limits.libraryScanRefreshMs : false),
})

/** All albums by title, from letters on; in pages. */
export const albumsQuery = (from: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'albums', from],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /api/library/albums',
        { query: { from: from || undefined, cursor: pageParam } },
        { signal },
      ),
    ...inPages,
    staleTime,
  })

/** The albums of an artist by year, in pages. */
export const albumsOfArtistQuery = (artistId: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'artist albums', artistId],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /api/library/albums', { query: { artistId, cursor: pageParam } }, { signal }),
    ...inPages,
    staleTime,
  })

/** An album with its tracks, in pages. */
export const albumQuery = (albumId: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'album', albumId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /api/library/albums/:albumId',
        { params: { albumId }, query: { cursor: pageParam } },
        { signal },
      ),
    ...inPages,
    staleTime,
  })

/** All artists by name, from letters on; in pages. */
export const artistsQuery = (from: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'artists', from],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /api/library/artists',
        { query: { from: from || undefined, cursor: pageParam } },
        { signal },
      ),
    ...inPages,
    staleTime,
  })

/** The letters at which the list of albums or artists may start. */
export const lettersQuery = (of: 'albums' | 'artists') =>
  queryOptions({
    queryKey: ['library', 'letters', of],
    queryFn: ({ signal }) => callApi('GET /api/library/letters', { query: { of } }, { signal }),
    staleTime,
  })

/** An artist with the tracks that are on no album, in pages. */
export const artistQuery = (artistId: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'artist', artistId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /api/library/artists/:artistId',
        { params: { artistId }, query: { cursor: pageParam } },
        { signal },
      ),
    ...inPages,
    staleTime,
  })

/** Albums and artists whose names contain the words of a search; the last answer is shown until the next arrives. */
export const librarySearchQuery = (searchText: string) =>
  queryOptions({
    queryKey: ['library', 'search', searchText],
    queryFn: ({ signal }) => callApi('GET /api/library/search', { query: { q: searchText } }, { signal }),
    staleTime,
    placeholderData: keepPreviousData,
  })
