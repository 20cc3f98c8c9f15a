import type { Room } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Headphones, RefreshCw, SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { roomsQuery, sourcesQuery } from '../../api/queries.ts'
import { common } from '../../texts/common.ts'
import { home } from '../../texts/home.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { withArrowKeys } from '../../ui/list-keys.ts'
import { notify } from '../../ui/notify.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RoomCard } from './room-card.tsx'

/** Lists the rooms, or shows why there are none (2.13 to 2.15). */
export function RoomList({ query }: { query: string }) {
  const { data: rooms, isPending, isError, errorUpdatedAt, refetch, isFetching } = useQuery(roomsQuery)
  const { data: sources = [] } = useQuery(sourcesQuery)
  useEffect(() => {
    if (errorUpdatedAt > 0) notify({ kind: 'error', title: home.errorTitle, text: home.errorToast })
  }, [errorUpdatedAt])
  if (isPending) return <RoomSkeletons />
  if (isError && !rooms) {
    return (
      <EmptyState icon={CircleAlert} title={home.errorTitle} text={home.errorText} className="py-20">
        <Button tone="primary" isBusy={isFetching} onClick={() => void refetch()}>
          {!isFetching && <RefreshCw aria-hidden className="size-4" />}
          {home.refresh}
        </Button>
      </EmptyState>
    )
  }
  const shown = filterAndSortRooms(rooms, query)
  if (shown.length === 0) return <NoRooms query={query} />
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return (
    <ul ref={withArrowKeys} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
      {shown.map((room) => (
        <RoomCard key={room.id} room={room} sources={available} />
      ))}
    </ul>
  )
}

function NoRooms({ query }: { query: string }) {
  const isSearch = query.trim() !== ''
  return (
    <EmptyState
      icon={isSearch ? SearchX : Headphones}
      title={isSearch ? home.noMatch(query.trim()) : home.empty}
      text={isSearch ? home.noMatchText : home.emptyText}
      className="py-20"
    >
      <Link to="/create-room" className={buttonLook({ tone: 'secondary' })}>
        {home.createRoom}
      </Link>
    </EmptyState>
  )
}

/** Filters rooms by name, ignoring case (2.12), and sorts them by listener count, highest first (2.13). */
export function filterAndSortRooms(rooms: readonly Room[], query: string): Room[] {
  const wanted = query.trim().toLocaleLowerCase()
  return rooms
    .filter((room) => room.name.toLocaleLowerCase().includes(wanted))
    .toSorted((one, other) => other.listeners - one.listeners)
}

const skeletonKeys = ['1', '2', '3', '4', '5', '6']

/** Placeholder of six cards while the list loads (2.14a). */
function RoomSkeletons() {
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
          <span className="mt-5 flex items-center gap-3 rounded-md bg-page p-3">
            <Skeleton className="size-12" />
            <span className="block flex-1">
              <Skeleton className="h-4 w-4/5" />
              <Skeleton className="mt-2 h-3 w-1/2" />
            </span>
          </span>
          <span className="mt-5 flex items-center justify-between">
            <Skeleton className="h-6 w-24 rounded-full" />
            <Skeleton className="h-9 w-28 rounded-full" />
          </span>
        </span>
      ))}
    </output>
  )
}
