import type { Room } from '@earshot/core/protocol/entities'
import { useInfiniteQuery, useQueryClient, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { CircleAlert, Headphones, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { roomsQuery } from '../../api/queries.ts'
import { useSession } from '../../api/session.tsx'
import { common } from '../../texts/common.ts'
import { home } from '../../texts/home.ts'
import { Button, buttonLook } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { areInSight, RoomCards } from './room-cards.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { EndOfList } from './end-of-list.tsx'

/**
 * Lists the rooms whose names match, or shows why there are none (2.12 to 2.15). Without a search, those that
 * `OwnRooms` shows are left out.
 */
export function RoomList({ query }: { query: string }) {
  const wanted = query.trim()
  const ownIds = useOwnRooms().rooms.map(({ id }) => id)
  const asked = useSettled(wanted)
  const list = useInfiniteQuery(roomsQuery(asked === '' ? {} : { q: asked }, areInSight))
  const { data: rooms, isPending, isError, error, isFetching } = list
  const refresh = useRefresh()
  useFailureNotice(error)
  if (isPending) return <RoomSkeletons />
  if (isError && !rooms) {
    return <Failed isFetching={isFetching} onRetry={refresh} />
  }
  // Until the server has searched, what is here is filtered.
  const isSearched = asked === wanted && !list.isPlaceholderData
  const found = isSearched ? rooms : filterRooms(rooms, wanted)
  const shown = wanted === '' ? found.filter(({ id }) => !ownIds.includes(id)) : found
  if (shown.length === 0 && found.length > 0) return <p className="text-ink-muted">{home.onlyOwn}</p>
  if (shown.length === 0) return isSearched ? <NoRooms query={query} /> : <RoomSkeletons />
  return (
    <>
      <RoomCards rooms={shown} />
      {isSearched && list.hasNextPage && (
        <EndOfList
          key={shown.length}
          isBusy={list.isFetchingNextPage}
          onReached={() => void list.fetchNextPage()}
        />
      )}
    </>
  )
}

/** Returns a function that reads all lists of rooms that are shown. */
function useRefresh(): () => void {
  const queryClient = useQueryClient()
  return () => void queryClient.refetchQueries({ queryKey: ['rooms'], type: 'active' })
}

/** Tells of a failure, once. */
export function useFailureNotice(failure: Error | boolean | null): void {
  useEffect(() => {
    if (failure) notify({ kind: 'error', title: home.errorTitle, text: home.errorToast })
  }, [failure])
}

function Failed({ isFetching, onRetry }: { isFetching: boolean; onRetry: () => void }) {
  return (
    <EmptyState icon={CircleAlert} title={home.errorTitle} text={home.errorText} className="py-20">
      <Button tone="primary" isBusy={isFetching} onClick={onRetry}>
        {!isFetching && <RefreshCw aria-hidden className="size-4" />}
        <span>{home.refresh}</span>
      </Button>
    </EmptyState>
  )
}

const ownRoomsShown = 6

/** The signed-in user's rooms, which are found here even when nobody is in them; nothing without any. */
export function OwnRooms() {
  const { rooms, hasFailed, list } = useOwnRooms()
  useFailureNotice(list.isFetchNextPageError ? list.error : null)
  const refresh = useRefresh()
  // The list of all says so already, and whether the user has rooms is not known. It reads itself.
  const all = useInfiniteQuery({ ...roomsQuery({}, areInSight), enabled: false })
  const isToldBelow = all.isError && !all.data
  if (rooms.length === 0 && (!hasFailed || isToldBelow)) return null
  return (
    <section aria-labelledby="own-rooms-title" className="mt-10">
      <h2 id="own-rooms-title" className="mb-6 text-2xl font-semibold tracking-tight">
        {home.ownRooms}
      </h2>
      {hasFailed ? <Failed isFetching={list.isFetching} onRetry={refresh} /> : <RoomCards rooms={rooms} />}
      {list.hasNextPage && (
        // Not by scrolling, which would move what is below out of reach.
        <div className="mt-8 flex justify-center">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {home.showMore}
          </Button>
        </div>
      )}
    </section>
  )
}

interface OwnRoomsState {
  rooms: readonly Room[]
  /** Until the first answer, or failure, of the server. */
  isAwaited: boolean
  hasFailed: boolean
  list: UseInfiniteQueryResult<Room[]>
}

/** The signed-in user's rooms: the first few, and more as they are asked for. */
export function useOwnRooms(): OwnRoomsState {
  const enabled = useSession().status === 'signed_in'
  const own = useInfiniteQuery({ ...roomsQuery({ scope: 'own', limit: ownRoomsShown }), enabled })
  // Not `isError`, which each part of the page that shows up resets: it reads them anew.
  const hasFailed = enabled && !own.data && own.errorUpdateCount > 0
  return {
    rooms: (enabled && own.data) || [],
    isAwaited: enabled && own.isPending && own.failureCount === 0 && !hasFailed,
    hasFailed,
    list: own,
  }
}

const settleMs = 250

/** Returns a value once it has not changed for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function NoRooms({ query }: { query: string }) {
  const words = query.trim()
  return (
    <EmptyState icon={Headphones} title={home.empty} text={home.emptyText} className="py-20">
      {words && <p className="w-full text-sm text-ink-muted">{home.noMatch(words)}</p>}
      <Link to="/create-room" className={buttonLook({ tone: 'secondary' })}>
        {home.createRoom}
      </Link>
    </EmptyState>
  )
}

function filterRooms(rooms: readonly Room[], query: string): Room[] {
  const wanted = query.toLocaleLowerCase()
  return rooms.filter((room) => room.name.toLocaleLowerCase().includes(wanted))
}

const skeletonKeys = ['1', '2', '3', '4', '5', '6']

/** Placeholder of six cards while the list loads (2.14a). */
export function RoomSkeletons() {
  return (
    <output aria-label={common.loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
      {skeletonKeys.map((key) => (
        <span
          key={key}
          data-skeleton="room"
          className="rounded-xl bg-surface p-5 ring-1 ring-line ring-inset"
        >
          <Skeleton className="h-6 w-3/5" />
          <Skeleton className="mt-3 h-4 w-2/5" />
          <Skeleton className="mt-5 h-18 rounded-md" />
          <Skeleton className="mt-5 h-9 w-28 rounded-full" />
        </span>
      ))}
    </output>
  )
}
