import { useInfiniteQuery } from '@tanstack/react-query'
import { Disc3 } from 'lucide-react'
import { useCallback } from 'react'
import { albumsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ResultSkeletons } from '../result-item.tsx'
import { AlbumGrid } from './album-grid.tsx'
import { LibraryFailed, RestOfList } from './list-states.tsx'
import type { LibraryPages } from './use-library.ts'

interface AlbumListProps {
  from: string
  pages: LibraryPages
  scrolledTo: Map<string, number>
}

/** All albums by title, as covers. */
export function AlbumList({ from, pages, scrolledTo }: AlbumListProps) {
  const query = useInfiniteQuery(albumsQuery(from))
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  if (!query.data) {
    if (query.error && !isFetching)
      return <LibraryFailed error={query.error} onRetry={() => void query.refetch()} />
    return <ResultSkeletons />
  }
  const albums = query.data.pages.flatMap((page) => page.albums)
  if (albums.length === 0) return <NoAlbums from={from} />
  return (
    <>
      <AlbumGrid
        key={from}
        albums={albums}
        label={texts.albums}
        note="artist"
        scrolledTo={scrolledTo}
        scrollKey={`albums:${from}`}
        onOpen={({ id }) => pages.open({ kind: 'album', id })}
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

function NoAlbums({ from }: { from: string }) {
  if (from !== '') return <EmptyState icon={Disc3} title={texts.nothingFrom(from.toUpperCase())} />
  return <EmptyState icon={Disc3} title={texts.empty} text={texts.emptyText} />
}
