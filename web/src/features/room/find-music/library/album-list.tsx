import { useInfiniteQuery } from '@tanstack/react-query'
import { Disc3 } from 'lucide-react'
import { albumsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { AlbumGrid } from './album-grid.tsx'
import { LetterList } from './letter-list.tsx'
import type { LibraryPages } from './use-library.ts'

interface AlbumListProps {
  from: string
  pages: LibraryPages
  scrolledTo: Map<string, number>
}

/** All albums by title, as covers. */
export function AlbumList({ from, pages, scrolledTo }: AlbumListProps) {
  const query = useInfiniteQuery(albumsQuery(from))
  return (
    <LetterList from={from} query={query} itemsOf={({ albums }) => albums} icon={Disc3}>
      {(albums, onEnd) => (
        <AlbumGrid
          key={from}
          albums={albums}
          label={texts.albums}
          note="artist"
          scrolledTo={scrolledTo}
          scrollKey={`albums:${from}`}
          onOpen={({ id }) => pages.open({ kind: 'album', id })}
          onEnd={onEnd}
        />
      )}
    </LetterList>
  )
}
