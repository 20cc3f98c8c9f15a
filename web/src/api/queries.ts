import { minuteMs } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Room, Source, SourceStatus } from '@earshot/core/protocol/entities'
import { type AppError, hasCode } from '@earshot/core/protocol/errors'
import type { RoomsQuery } from '@earshot/core/protocol/validation'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { callApi, type CallOutput, CallTimeoutError } from './call-api.ts'
import { callTimeoutMs, providerTimeoutMs } from './timed-fetch.ts'

const retries = 2
/** A call that timed out has kept the user waiting long already. */
const retriesAfterTimeout = 1

/** Whether a read is tried again after so many failures: `unavailable` and a limit of a few seconds may be temporary. */
function isRetried(failures: number, error: Error): boolean {
  if (error instanceof CallTimeoutError) return failures < retriesAfterTimeout
  const isShort = hasCode(error, 'rate_limited') && (waitOf(error) ?? Infinity) <= callTimeoutMs
  return failures < retries && (isShort || hasCode(error, 'unavailable'))
}

/** How long the server asks to wait, in ms. */
const waitOf = (error: Error): number | undefined => (error as AppError).details?.retryAfterMs

const retryDelay = (failures: number, error: Error): number => waitOf(error) ?? 1_000 * 2 ** failures

/** Creates the cache of server data. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: isRetried,
        retryDelay,
        // Calls fail by themselves while the browser is offline; a paused one would show a skeleton for ever.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** For reads that use up a limit of the provider: made only when the user asks for one. */
export const countedByProvider = {
  staleTime: Infinity,
  retryOnMount: false,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
} as const

type RoomsPage = CallOutput<'GET /api/rooms'>

interface RoomsPageParam {
  index: number
  cursor: string
}

/**
 * Rooms that match, in pages; refetched every 30 s (2.15): the first page, and of the others those of which `isInSight`
 * (17.119). The others keep their cursors too, so a page in sight is found behind them whatever changed before.
 */
export const roomsQuery = (
  query: Partial<RoomsQuery> = {},
  isInSight: (rooms: readonly Room[]) => boolean = () => true,
) => {
  const queryKey = ['rooms', query]
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal, client }) => {
      const known =
        pageParam && client.getQueryData<InfiniteData<RoomsPage>>(queryKey)?.pages[pageParam.index]
      if (known && !isInSight(known.rooms)) return known
      return callApi('GET /api/rooms', { query: { ...query, cursor: pageParam?.cursor } }, { signal })
    },
    initialPageParam: undefined as RoomsPageParam | undefined,
    getNextPageParam: ({ nextCursor }, pages): RoomsPageParam | undefined =>
      !nextCursor ? undefined : { index: pages.length, cursor: nextCursor },
    // A room that itself moved down meanwhile is in two pages.
    select: ({ pages }) => [
      ...new Map(pages.flatMap(({ rooms }) => rooms).map((room) => [room.id, room])).values(),
    ],
    refetchInterval: limits.roomsListRefreshMs,
    placeholderData: keepPreviousData,
  })
}

/** The sources that this server offers. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: async ({ signal }) => (await callApi('GET /api/sources', {}, { signal })).sources,
  staleTime: 5 * minuteMs,
})

/** The signed-in user's profile. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: ['profile', userId],
    queryFn: async ({ signal }) => (await callApi('GET /api/profile', {}, { signal })).profile,
    staleTime: 60_000,
  })

/** Assumed until `sourcesQuery` has an answer. */
export const libraryOnly: SourceStatus[] = [{ source: 'library', available: true, reason: null }]

/** Picks the preferred source if it is available, otherwise the first one that is, otherwise the library. */
export function pickSource(sources: readonly SourceStatus[], preferred: Source | undefined): Source {
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return available.find((source) => source === preferred) ?? available[0] ?? 'library'
}

/**
 * Tracks of a source that match a query, in pages. A provider counts its searches: one is only made again when asked
 * for, and afterwards the quota and what the source allows are read anew.
 */
export const tracksQuery = (source: Source, searchText: string) =>
  infiniteQueryOptions({
    queryKey: ['tracks', source, searchText],
    queryFn: async ({ pageParam, signal, client }) => {
      const query = { source, q: searchText, offset: pageParam }
      try {
        return await callApi('GET /api/tracks', { query }, { signal, timeoutMs: timeoutOf(source) })
      } finally {
        if (source !== 'library') {
          void client.invalidateQueries({ queryKey: [source], exact: true })
          void client.invalidateQueries(sourcesQuery)
        }
      }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
    ...(source === 'library' ? { staleTime: 60_000 } : countedByProvider),
  })

const timeoutOf = (source: Source): number => (source === 'library' ? callTimeoutMs : providerTimeoutMs)

/** The whole library, in pages; refetched while the server is scanning its folder. */
export const libraryQuery = infiniteQueryOptions({
  queryKey: ['library'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /api/library', { query: { offset: pageParam } }, { signal }),
  initialPageParam: 0,
  getNextPageParam: (page) => page.nextOffset,
  staleTime: 60_000,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.isScanning) ? limits.libraryScanRefreshMs : false,
})
