import type { Room, Source } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { explore as texts, home } from '../../texts/home.ts'
import { roomsQuery, sourcesQuery } from '../../api/queries.ts'
import { common, productName, sourceNames } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { withArrowKeys } from '../../ui/list-keys.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { RoomCard } from './room-card.tsx'

type Filter = Source | 'all'
const filters: readonly Filter[] = ['all', 'spotify', 'youtube', 'library']

/** Public rooms to discover, those that play first (2.2). */
export function ExplorePage() {
  const { data: rooms, isError, refetch } = useQuery(roomsQuery)
  const [filter, setFilter] = useState<Filter>('all')
  return (
    <div className="mt-8 sm:mt-12">
      <title>{`${texts.title} · ${productName}`}</title>
      <h1 className="text-headline font-semibold tracking-tight">{texts.title}</h1>
      <p className="mt-2 text-ink-muted">{texts.text}</p>
      <SourceFilter value={filter} onChange={setFilter} />
      {rooms ? (
        // A new list starts with its first rooms.
        <Rooms key={filter} rooms={pickRooms(rooms, filter)} filter={filter} />
      ) : isError ? (
        <TryAgain
          title={home.errorTitle}
          text={home.errorText}
          onRetry={() => void refetch()}
          className="py-20"
        />
      ) : (
        <output aria-label={common.loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
          {['1', '2', '3'].map((key) => (
            <Skeleton key={key} className="h-62 rounded-xl" />
          ))}
        </output>
      )}
    </div>
  )
}

/** Returns the public rooms of a source, those that play first, then by listeners, then newest first. */
export function pickRooms(rooms: readonly Room[], filter: Filter): Room[] {
  return rooms
    .filter((room) => room.is_public && (filter === 'all' || sourceOf(room) === filter))
    .toSorted(
      (one, other) =>
        Number(other.is_playing) - Number(one.is_playing) ||
        other.listeners - one.listeners ||
        other.created_at - one.created_at,
    )
}

function sourceOf(room: Room): Source {
  return room.currentTrack?.source ?? room.preferred_source
}

function SourceFilter({ value, onChange }: { value: Filter; onChange: (filter: Filter) => void }) {
  return (
    <fieldset className="my-6 flex flex-wrap gap-2">
      <legend className="sr-only">{texts.filter}</legend>
      {filters.map((filter) => (
        <Button
          key={filter}
          size="sm"
          tone={filter === value ? 'primary' : 'secondary'}
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
        >
          {filter === 'all' ? texts.all : sourceNames[filter]}
        </Button>
      ))}
    </fieldset>
  )
}

const pageSize = 24

/** Shows more of the rooms, which are all loaded, as the end of the list comes into view. */
function Rooms({ rooms, filter }: { rooms: readonly Room[]; filter: Filter }) {
  const { data: sources = [] } = useQuery(sourcesQuery)
  const [shown, setShown] = useState(pageSize)
  const showMore = () => setShown((count) => count + pageSize)
  if (rooms.length === 0) {
    const isFiltered = filter !== 'all'
    return (
      <EmptyState
        icon={SearchX}
        title={isFiltered ? texts.noneOf(sourceNames[filter]) : home.empty}
        text={isFiltered ? texts.noneText : home.emptyText}
        className="py-20"
      />
    )
  }
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return (
    <>
      <h2 className="sr-only">{home.title}</h2>
      <ul ref={withArrowKeys} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
        {rooms.slice(0, shown).map((room) => (
          <RoomCard key={room.id} room={room} sources={available} />
        ))}
      </ul>
      {shown < rooms.length && <EndOfList key={shown} onReached={showMore} />}
    </>
  )
}

/** Extends the list when its end comes into view; a button serves keyboards and older browsers. */
function EndOfList({ onReached }: { onReached: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onReached()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
    // Mounted anew for each part of the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <div ref={end} className="mt-8 flex justify-center">
      <Button onClick={onReached}>{texts.showMore}</Button>
    </div>
  )
}
