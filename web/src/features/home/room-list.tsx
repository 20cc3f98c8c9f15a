import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Headphones, RefreshCw, SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { roomsQuery, sourcesQuery } from '../../api/queries.ts'
import { home } from '../../texts.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { withArrowKeys } from '../../ui/list-keys.ts'
import { notify } from '../../ui/notify.ts'
import { arrangeRooms } from './arrange-rooms.ts'
import { RoomCard } from './room-card.tsx'
import { RoomSkeletons } from './room-skeletons.tsx'

/** The rooms, or why there are none to see (2.13 to 2.15). */
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
  const shown = arrangeRooms(rooms, query)
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
