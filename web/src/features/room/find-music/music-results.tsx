import { limits } from '@earshot/core/limits'
import type { Source, Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { LibraryBig, Plus, Search, SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { libraryQuery, tracksQuery } from '../../../api/queries.ts'
import { common, findMusic as texts, sourceNames } from '../../../texts.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatClock } from '../../../ui/format-time.ts'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { withArrowKeys } from '../../../ui/list-keys.ts'
import { notify } from '../../../ui/notify.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

interface MusicResultsProps {
  source: Source
  /** The search query; empty browses the library. */
  words: string
  onAdd: (track: Track) => void
}

/** Shows the results of a search, or the whole library while there is no query (2.26c). */
export function MusicResults({ source, words, onAdd }: MusicResultsProps) {
  if (words !== '') return <SearchResults source={source} words={words} onAdd={onAdd} />
  if (source === 'library') return <WholeLibrary onAdd={onAdd} />
  return <EmptyState icon={Search} title={texts.searchFirst(sourceNames[source])} />
}

function SearchResults({ source, words, onAdd }: MusicResultsProps) {
  const query = useInfiniteQuery(tracksQuery(source, words))
  return (
    <ResultList heading={texts.results} query={query} onAdd={onAdd}>
      <EmptyState icon={SearchX} title={texts.noResults} text={texts.noResultsText} />
    </ResultList>
  )
}

function WholeLibrary({ onAdd }: Pick<MusicResultsProps, 'onAdd'>) {
  const query = useInfiniteQuery(libraryQuery)
  const isScanning = query.data?.pages.some((page) => page.isScanning)
  return (
    <ResultList heading={texts.browse} query={query} onAdd={onAdd}>
      {isScanning ? (
        <ResultSkeletons />
      ) : (
        <EmptyState icon={LibraryBig} title={texts.emptyLibrary} text={texts.emptyLibraryText} />
      )}
    </ResultList>
  )
}

interface ResultListProps {
  heading: string
  query: UseInfiniteQueryResult<InfiniteData<{ tracks: Track[] }>>
  onAdd: (track: Track) => void
  /** Shown for an empty result. */
  children: ReactNode
}

/** Lists tracks page by page, each with an add button (2.26c). */
function ResultList({ heading, query, onAdd, children }: ResultListProps) {
  const { errorUpdatedAt, isError, isPending } = query
  useEffect(() => {
    if (errorUpdatedAt > 0) notify({ kind: 'error', title: texts.failedTitle, text: texts.failedText })
  }, [errorUpdatedAt])
  if (isPending) return <ResultSkeletons />
  const tracks = query.data?.pages.flatMap((page) => page.tracks) ?? []
  if (tracks.length === 0) return isError ? <Failed onRetry={() => void query.refetch()} /> : children
  return (
    <>
      <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{heading}</h3>
      <ul
        aria-label={heading}
        ref={withArrowKeys}
        style={{ maxHeight: limits.resultsListHeightPx }}
        className="-mx-2 scroll-list px-2"
      >
        {tracks.map((track) => (
          <ResultItem key={track.id} track={track} onAdd={onAdd} />
        ))}
        {query.hasNextPage && (
          <li className="pt-2 pb-1 text-center">
            <Button size="sm" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {texts.more}
            </Button>
          </li>
        )}
      </ul>
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState icon={SearchX} title={texts.failedInList}>
      <Button size="sm" onClick={onRetry}>
        {texts.retry}
      </Button>
    </EmptyState>
  )
}

function ResultItem({ track, onAdd }: { track: Track; onAdd: (track: Track) => void }) {
  const durationMs = knownDurationMs(track)
  return (
    <li className="flex items-center gap-3 py-2">
      <Artwork url={track.album_art} alt="" size={limits.albumArtSmallPx} seed={track.album || track.title} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{track.title}</p>
        <p className="truncate text-xs text-ink-muted">
          {track.artist}
          {durationMs !== null && ` · ${formatClock(durationMs)}`}
        </p>
      </div>
      <HintedButton size="sm" label={texts.add(track.title)} onClick={() => onAdd(track)}>
        <Plus aria-hidden />
      </HintedButton>
    </li>
  )
}

const skeletonKeys = ['1', '2', '3', '4']

function ResultSkeletons() {
  return (
    <output aria-label={common.loading} className="mt-5 flex flex-col gap-4">
      {skeletonKeys.map((key) => (
        <span key={key} className="flex items-center gap-3">
          <Skeleton className="size-10" />
          <span className="block flex-1">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="mt-1.5 h-3 w-2/5" />
          </span>
        </span>
      ))}
    </output>
  )
}
