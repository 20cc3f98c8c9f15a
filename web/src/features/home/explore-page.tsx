import type { Source } from '@earshot/core/protocol/entities'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { explore as texts } from '../../texts/explore.ts'
import { home } from '../../texts/home.ts'
import { libraryOnly, roomsQuery, sourcesQuery } from '../../api/queries.ts'
import { common, sourceNames } from '../../texts/common.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { EndOfList } from './end-of-list.tsx'
import { areInSight, RoomCards } from './room-cards.tsx'
import { useFailureNotice } from './room-list.tsx'

type Filter = Source | 'all'
const filters: readonly Filter[] = ['all', 'spotify', 'youtube', 'library']

/** Public rooms to discover, those that play first (2.2). */
export function ExplorePage() {
  const [filter, setFilter] = useState<Filter>('all')
  return (
    <div className="mt-8 sm:mt-12">
      <PageTitle name={texts.title} />
      <h1 className="text-headline font-semibold tracking-tight">{texts.title}</h1>
      <p className="mt-2 text-ink-muted">{texts.text}</p>
      <SourceFilter value={filter} onChange={setFilter} />
      <Rooms filter={filter} />
    </div>
  )
}

/** Offers the sources that work on this server (17.66). */
function SourceFilter({ value, onChange }: { value: Filter; onChange: (filter: Filter) => void }) {
  const { data: sources = libraryOnly } = useQuery(sourcesQuery)
  const offered = sources.filter(({ available }) => available).map(({ source }): Filter => source)
  return (
    <fieldset className="my-6 flex flex-wrap gap-2">
      <legend className="sr-only">{texts.filter}</legend>
      {filters
        .filter((filter) => filter === 'all' || offered.includes(filter))
        .map((filter) => (
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

/** Loads more of the rooms as the end of the list comes into view. */
function Rooms({ filter }: { filter: Filter }) {
  const source = filter === 'all' ? undefined : filter
  const list = useInfiniteQuery(
    roomsQuery({ scope: 'public', order: 'playing', limit: pageSize, ...(source && { source }) }, areInSight),
  )
  useFailureNotice(list.isFetchNextPageError ? list.error : null)
  const rooms = list.data
  if (!rooms) return list.isError ? <Failed onRetry={() => void list.refetch()} /> : <Skeletons />
  if (rooms.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={source ? texts.noneOf(sourceNames[source]) : home.empty}
        text={source ? texts.noneText : home.emptyText}
        className="py-20"
      />
    )
  }
  return (
    <>
      <h2 className="sr-only">{home.title}</h2>
      <RoomCards rooms={rooms} />
      {list.hasNextPage && (
        <EndOfList
          key={rooms.length}
          isBusy={list.isFetchingNextPage}
          onReached={() => void list.fetchNextPage()}
        />
      )}
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return <TryAgain title={home.errorTitle} text={home.errorText} onRetry={onRetry} className="py-20" />
}

function Skeletons() {
  return (
    <output aria-label={common.loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
      {['1', '2', '3'].map((key) => (
        <Skeleton key={key} className="h-62 rounded-xl" />
      ))}
    </output>
  )
}
