import type { Source, Track } from '@earshot/core/protocol/entities'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { LibraryBig, Search, SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { libraryQuery, tracksQuery } from '../../../api/queries.ts'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { describeFailure } from './describe-failure.ts'
import { OwnPlaylists } from './own-playlists.tsx'
import { PagedList } from './paged-list.tsx'
import { ResultItem, ResultSkeletons } from './result-item.tsx'
import { accessAfterRefusal, type SearchAccess } from './search-access.ts'
import { SourceNotice } from './source-notice.tsx'

interface MusicResultsProps {
  source: Source
  /** The search query; empty browses what the source has to offer. */
  words: string
  access: SearchAccess
  onAdd: (track: Track) => void
}

/** Shows the results of a search; without a query the whole library or the user's own playlists (2.26c). */
export function MusicResults({ source, words, access, onAdd }: MusicResultsProps) {
  if (access.kind !== 'open') return <SourceNotice source={source} access={access} />
  if (words !== '') return <SearchResults source={source} words={words} onAdd={onAdd} />
  if (source === 'library') return <WholeLibrary onAdd={onAdd} />
  if (source === 'spotify') return <OwnPlaylists />
  return <EmptyState icon={Search} title={texts.searchFirst(sourceNames[source])} />
}

function SearchResults({ source, words, onAdd }: Omit<MusicResultsProps, 'access'>) {
  const query = useInfiniteQuery(tracksQuery(source, words))
  useFailureNotice(query)
  const refusal = accessAfterRefusal(query.error, query.errorUpdatedAt)
  if (refusal && !query.data && !query.isFetching)
    return <SourceNotice source={source} access={refusal} onRetry={() => void query.refetch()} />
  return (
    <ResultList heading={texts.results} query={query} onAdd={onAdd}>
      <EmptyState icon={SearchX} title={texts.noResults} text={texts.noResultsText} />
    </ResultList>
  )
}

function WholeLibrary({ onAdd }: Pick<MusicResultsProps, 'onAdd'>) {
  const query = useInfiniteQuery(libraryQuery)
  useFailureNotice(query)
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

function useFailureNotice({ error, errorUpdatedAt }: UseInfiniteQueryResult<unknown>): void {
  useEffect(() => {
    if (errorUpdatedAt === 0 || error === null) return
    notify({ kind: 'error', title: texts.failedTitle, text: describeFailure(error, texts.failedText) })
  }, [errorUpdatedAt, error])
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
  const { isError, isPending, isFetching } = query
  if (isPending || (isError && isFetching && !query.data)) return <ResultSkeletons />
  const tracks = query.data?.pages.flatMap((page) => page.tracks) ?? []
  if (tracks.length === 0) return isError ? <Failed onRetry={() => void query.refetch()} /> : children
  return (
    <PagedList heading={heading} query={query}>
      {tracks.map((track) => (
        <ResultItem key={track.id} track={track} onAdd={onAdd} />
      ))}
    </PagedList>
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
