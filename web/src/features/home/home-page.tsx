import { limits } from '@earshot/core/limits'
import { usePrefetchInfiniteQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { roomsQuery } from '../../api/queries.ts'
import { useSession } from '../../api/session.tsx'
import { home } from '../../texts/home.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { Hero } from './hero.tsx'
import { OwnRooms, RoomList, RoomSkeletons, useOwnRooms } from './room-list.tsx'

/** The home page with the list of available rooms (2.1). */
export function HomePage() {
  const isSignedIn = useSession().status === 'signed_in'
  return (
    <>
      <PageTitle />
      <Hero isSmall={isSignedIn} />
      <Rooms isSignedIn={isSignedIn} />
    </>
  )
}

/** The user's own rooms and those of all. Neither before the own are known: they would move the others. */
function Rooms({ isSignedIn }: { isSignedIn: boolean }) {
  const [query, setQuery] = useState('')
  usePrefetchInfiniteQuery(roomsQuery())
  if (useOwnRooms().isAwaited) {
    return (
      <div className="mt-10 sm:mt-14">
        <RoomSkeletons />
      </div>
    )
  }
  return (
    <>
      {isSignedIn && query.trim() === '' && <OwnRooms />}
      <section aria-labelledby="rooms-title" className="mt-10 sm:mt-14">
        <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <h2 id="rooms-title" className="text-2xl font-semibold tracking-tight">
            {home.title}
          </h2>
          <RoomSearch query={query} onChange={setQuery} />
        </div>
        <RoomList query={query} />
      </section>
    </>
  )
}

interface RoomSearchProps {
  query: string
  onChange: (query: string) => void
}

function RoomSearch({ query, onChange }: RoomSearchProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers of 2023 do not know <search>
    <div role="search" className="relative w-full sm:w-80">
      <Search
        aria-hidden
        className="pointer-events-none absolute start-4 top-1/2 size-4.5 -translate-y-1/2 text-ink-muted"
      />
      <input
        type="search"
        aria-label={home.searchLabel}
        placeholder={home.searchRooms}
        maxLength={limits.roomNameMaxLength}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-full bg-surface ps-11 pe-11 text-sm ring-1 ring-edge transition-shadow outline-none ring-inset placeholder:text-ink-muted focus-visible:ring-2 focus-visible:ring-brand-text [&::-webkit-search-cancel-button]:hidden"
      />
      {query !== '' && (
        <IconButton
          size="sm"
          label={home.clearSearch}
          className="absolute end-1 top-1 pointer-coarse:end-0 pointer-coarse:top-0"
          onClick={() => onChange('')}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
