import type { LibraryArtist } from '@earshot/core/protocol/library-calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MicVocal } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { artistsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { withArrowKeys } from '../../../../ui/list-keys.ts'
import { ResultSkeletons } from '../result-item.tsx'
import { ArtistButton } from './artist-button.tsx'
import { LibraryFailed, RestOfList } from './list-states.tsx'
import type { LibraryPages } from './use-library.ts'
import { useVirtualRows } from './virtual-rows.ts'

interface ArtistListProps {
  from: string
  pages: LibraryPages
  scrolledTo: Map<string, number>
}

/** All artists by name. */
export function ArtistList({ from, pages, scrolledTo }: ArtistListProps) {
  const query = useInfiniteQuery(artistsQuery(from))
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  if (!query.data) {
    if (query.error && !isFetching)
      return <LibraryFailed error={query.error} onRetry={() => void query.refetch()} />
    return <ResultSkeletons />
  }
  const artists = query.data.pages.flatMap((page) => page.artists)
  if (artists.length === 0) {
    const title = from === '' ? texts.empty : texts.nothingFrom(from.toUpperCase())
    return <EmptyState icon={MicVocal} title={title} />
  }
  return (
    <>
      <ArtistRows
        key={from}
        artists={artists}
        scrolledTo={scrolledTo}
        scrollKey={`artists:${from}`}
        onOpen={({ id }) => pages.open({ kind: 'artist', id })}
        onEnd={loadMore}
      />
      <RestOfList
        isFetching={query.isFetchingNextPage}
        isFailed={isFetchNextPageError}
        onRetry={() => void fetchNextPage()}
      />
    </>
  )
}

interface ArtistRowsProps {
  artists: readonly LibraryArtist[]
  scrolledTo: Map<string, number>
  scrollKey: string
  onOpen: (artist: LibraryArtist) => void
  onEnd: () => void
}

const rowHeightPx = 56

function ArtistRows({ artists, onOpen, ...scrolling }: ArtistRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, totalPx } = useVirtualRows({ scroller, count: artists.length, rowHeightPx, ...scrolling })
  return (
    <div ref={scroller} className="scroll-list -mx-2 min-h-48 flex-1 px-2 pt-2">
      <ul aria-label={texts.artists} ref={withArrowKeys} style={{ height: totalPx }} className="relative">
        {rows.map(({ index, start }) => {
          const artist = artists[index]
          return (
            artist && (
              <li
                key={artist.id}
                aria-posinset={index + 1}
                aria-setsize={-1}
                style={{ top: start, height: rowHeightPx }}
                className="absolute inset-x-0"
              >
                <ArtistButton artist={artist} onOpen={() => onOpen(artist)} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
