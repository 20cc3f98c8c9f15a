import { limits } from '@earshot/core/limits'
import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The list of rooms, refetched every 30 s (2.15). */
export const roomsQuery = queryOptions({
  queryKey: ['rooms'],
  queryFn: async ({ signal }) => (await callApi('GET /api/rooms', {}, signal)).rooms,
  refetchInterval: limits.roomsListRefreshMs,
})

/** The sources that this server offers. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: async ({ signal }) => (await callApi('GET /api/sources', {}, signal)).sources,
  staleTime: 5 * 60_000,
})

/** The signed-in user's profile. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: ['profile', userId],
    queryFn: async ({ signal }) => (await callApi('GET /api/profile', {}, signal)).profile,
    staleTime: 60_000,
  })

/** Assumed until `sourcesQuery` has an answer. */
export const libraryOnly: SourceStatus[] = [{ source: 'library', available: true, reason: null }]

/** Tracks of a source that match a query, in pages. */
export const tracksQuery = (source: Source, words: string) =>
  infiniteQueryOptions({
    queryKey: ['tracks', source, words],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /api/tracks', { query: { source, q: words, offset: pageParam } }, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
    staleTime: 60_000,
  })

/** The whole library, in pages; refetched while the server is scanning its folder. */
export const libraryQuery = infiniteQueryOptions({
  queryKey: ['library'],
  queryFn: ({ pageParam, signal }) => callApi('GET /api/library', { query: { offset: pageParam } }, signal),
  initialPageParam: 0,
  getNextPageParam: (page) => page.nextOffset,
  staleTime: 60_000,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.isScanning) ? limits.libraryScanRefreshMs : false,
})
