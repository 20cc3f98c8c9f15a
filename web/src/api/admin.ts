import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The reads of the administration. Every key begins with `admin`. */

const figuresEveryMs = 5_000
const scanEveryMs = 2_000

export const adminStatusQuery = queryOptions({
  queryKey: ['admin', 'status'],
  queryFn: ({ signal }) => callApi('GET /api/admin/status', {}, { signal }),
})

export const adminUsersQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'users', q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /api/admin/users', { query: { q, offset: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
  })

export const adminRoomsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'rooms', q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /api/admin/rooms', { query: { q, offset: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
  })

export const serverInvitesQuery = queryOptions({
  queryKey: ['admin', 'invites'],
  queryFn: async ({ signal }) => (await callApi('GET /api/admin/invites', {}, { signal })).invites,
})

/** Read again while a scan runs. */
export const libraryStateQuery = queryOptions({
  queryKey: ['admin', 'library'],
  queryFn: async ({ signal }) => (await callApi('GET /api/admin/library', {}, { signal })).library,
  refetchInterval: ({ state }) => (state.data?.isScanning ? scanEveryMs : false),
})

export const figuresQuery = queryOptions({
  queryKey: ['admin', 'figures'],
  queryFn: async ({ signal }) => (await callApi('GET /api/admin/figures', {}, { signal })).figures,
  refetchInterval: figuresEveryMs,
})
