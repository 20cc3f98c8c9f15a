import type { Track } from '@earshot/core/protocol/entities'
import { useInfiniteQuery } from '@tanstack/react-query'
import { albumsOfArtistQuery, artistQuery } from '../../../../api/library-queries.ts'
import { findMusic } from '../../../../texts/find-music.ts'
import { library as texts } from '../../../../texts/library.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { withArrowKeys } from '../../../../ui/controls/list-keys.ts'
import { ResultItem, ResultSkeletons } from '../result-item.tsx'
import { AlbumCard } from './album-card.tsx'
import { LibraryFailed } from './list-states.tsx'
import type { LibraryPages } from './use-library.ts'

interface ArtistPageProps {
  artistId: string
  pages: LibraryPages
  onAdd: (track: Track) => void
}

const coverPx = 96

/** An artist's albums by year, and their tracks that are on none. */
export function ArtistPage({ artistId, pages, onAdd }: ArtistPageProps) {
  const artist = useInfiniteQuery(artistQuery(artistId))
  const albums = useInfiniteQuery(albumsOfArtistQuery(artistId))
  const failed = [artist, albums].find((query) => query.error && !query.data && !query.isFetching)
  if (failed?.error) return <LibraryFailed error={failed.error} onRetry={() => void failed.refetch()} />
  if (!artist.data || !albums.data) return <ResultSkeletons />
  const name = artist.data.pages[0]?.artist.name ?? ''
  const covers = albums.data.pages.flatMap((page) => page.albums)
  const tracks = artist.data.pages.flatMap((page) => page.tracks)
  return (
    <div className="scroll-list -mx-2 min-h-48 flex-1 px-2 pt-2">
      <h3 className="mb-3 font-semibold wrap-anywhere">{name}</h3>
      {covers.length > 0 && (
        <ul aria-label={texts.albumsOf(name)} className="flex flex-wrap gap-3">
          {covers.map((album) => (
            <li key={album.id}>
              <AlbumCard
                album={album}
                sizePx={coverPx}
                note="year"
                onOpen={() => pages.open({ kind: 'album', id: album.id })}
              />
            </li>
          ))}
        </ul>
      )}
      <More query={albums} />
      {tracks.length > 0 && (
        <>
          <h4 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{texts.otherTracks}</h4>
          <ul aria-label={texts.otherTracks} ref={withArrowKeys}>
            {tracks.map((track) => (
              <ResultItem key={track.id} track={track} onAdd={onAdd} />
            ))}
          </ul>
        </>
      )}
      <More query={artist} />
    </div>
  )
}

interface Paged {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

function More({ query }: { query: Paged }) {
  if (!query.hasNextPage) return null
  return (
    <p className="py-2 text-center">
      <Button size="sm" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {findMusic.more}
      </Button>
    </p>
  )
}
