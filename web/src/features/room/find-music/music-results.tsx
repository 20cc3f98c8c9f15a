import type { Source, Track } from '@earshot/core/protocol/entities'
import { hasCode } from '@earshot/core/protocol/errors'
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { LibraryBig, Search, SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { describeError } from '../../../api/describe-error.ts'
import { librarySearchQuery } from '../../../api/library-queries.ts'
import { libraryQuery, tracksQuery } from '../../../api/queries.ts'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { FoundAlbumsAndArtists } from './library/found-albums-and-artists.tsx'
import { LibrarySkeleton } from './library/library-skeleton.tsx'
import { useLibrary } from './library/use-library.ts'
import { PagedList } from './paged-list.tsx'
import { ResultItem, ResultSkeletons } from './result-item.tsx'
import { accessAfterRefusal, type SearchAccess } from './search-access.ts'
import { SourceNotice } from './source-notice.tsx'

const LibraryBrowser = onDemand(
  async () => (await import('./library/library-browser.tsx')).LibraryBrowser,
  <LibrarySkeleton />,
)

const OwnPlaylists = onDemand(
  async () => (await import('./own-playlists.tsx')).OwnPlaylists,
  <ResultSkeletons />,
)

interface MusicResultsProps {
  source: Source
  /** The search query; empty browses what the source has to offer. */
  searchText: string
  access: SearchAccess
  onAdd: (track: Track) => void
  /** Clears the search, to show what it led to. */
  onLeaveSearch: () => void
}

/** Shows the results of a search; without a query the library or the user's own playlists (2.26c). */
export function MusicResults(props: MusicResultsProps) {
  const { source, searchText, access, onAdd } = props
  if (access.kind !== 'open') return <SourceNotice source={source} access={access} />
  if (searchText !== '' && source === 'library') return <LibraryResults {...props} />
  if (searchText !== '') return <SearchResults source={source} searchText={searchText} onAdd={onAdd} />
  if (source === 'library')
    return (
      <LibraryBrowser onAdd={onAdd}>
        <WholeLibrary onAdd={onAdd} />
      </LibraryBrowser>
    )
  if (source === 'spotify') return <OwnPlaylists />
  return <EmptyState icon={Search} title={texts.searchFirst(sourceNames[source])} />
}

/** Albums, artists and tracks. While one types, the last results stay until the next arrive. */
function LibraryResults({ source, searchText, onAdd, onLeaveSearch }: MusicResultsProps) {
  const { open } = useLibrary()
  const { data: places = { albums: [], artists: [] } } = useQuery(librarySearchQuery(searchText))
  const hasAlbumsOrArtists = places.albums.length + places.artists.length > 0
  return (
    <>
      <FoundAlbumsAndArtists
        {...places}
        onOpen={(place) => {
          open(place)
          onLeaveSearch()
        }}
      />
      <SearchResults
        source={source}
        searchText={searchText}
        onAdd={onAdd}
        hasAlbumsOrArtists={hasAlbumsOrArtists}
      />
    </>
  )
}

interface SearchResultsProps extends Pick<MusicResultsProps, 'source' | 'searchText' | 'onAdd'> {
  /** Something else than tracks was found. */
  hasAlbumsOrArtists?: boolean
}

function SearchResults({ source, searchText, onAdd, hasAlbumsOrArtists = false }: SearchResultsProps) {
  const query = useInfiniteQuery({
    ...tracksQuery(source, searchText),
    placeholderData: source === 'library' ? keepPreviousData : undefined,
  })
  useFailureNotice(query)
  const refusal = accessAfterRefusal(query.error, query.errorUpdatedAt)
  if (refusal && !query.data && !query.isFetching)
    return <SourceNotice source={source} access={refusal} onRetry={() => void query.refetch()} />
  return (
    <ResultList heading={texts.results} query={query} onAdd={onAdd}>
      {!hasAlbumsOrArtists && (
        <EmptyState icon={SearchX} title={texts.noResults} text={texts.noResultsText} />
      )}
    </ResultList>
  )
}

/** Lists all tracks of the library by artist. */
export function WholeLibrary({ onAdd }: Pick<MusicResultsProps, 'onAdd'>) {
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

/** Tells about failures while it is shown, not about one that is kept from an earlier visit. */
function useFailureNotice({
  error,
  errorUpdatedAt,
  isFetchedAfterMount,
}: UseInfiniteQueryResult<unknown>): void {
  useEffect(() => {
    if (error === null || !isFetchedAfterMount) return
    notify({ kind: 'error', title: texts.failedTitle, text: describeFailure(error) })
  }, [errorUpdatedAt, error, isFetchedAfterMount])
}

/** The text of 8.4a, unless the failure has words of its own, such as a limit. */
const describeFailure = (error: Error): string =>
  hasCode(error, 'unavailable') ? texts.failedText : describeError(error, texts.failedText)

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
