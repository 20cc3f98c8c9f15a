import { useInfiniteQuery } from '@tanstack/react-query'
import { Disc3 } from 'lucide-react'
import type { LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { albumsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { LetterList } from './letter-list.tsx'
import type { LibraryPages } from './use-library.ts'
import { AlbumCard, cardTextPx } from './album-card.tsx'
import { useVirtualRows } from './virtual-rows.ts'

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

interface AlbumGridProps {
  albums: readonly LibraryAlbum[]
  label: string
  note: 'artist' | 'year'
  scrolledTo: Map<string, number>
  scrollKey: string
  onOpen: (album: LibraryAlbum) => void
  onEnd: () => void
}

const gapPx = 12
const coverMinPx = 92
/** Until the width is measured. */
const usualWidthPx = 320

/** Covers in columns, of which only those in sight are drawn. */
function AlbumGrid({ albums, label, note, onOpen, ...scrolling }: AlbumGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(scroller)
  const columns = Math.max(2, Math.floor((widthPx + gapPx) / (coverMinPx + gapPx)))
  const coverPx = Math.floor((widthPx - gapPx * (columns - 1)) / columns)
  const rowHeightPx = coverPx + cardTextPx() + gapPx
  const count = Math.ceil(albums.length / columns)
  const { rows, totalPx } = useVirtualRows({ scroller, count, rowHeightPx, ...scrolling })
  return (
    <div ref={scroller} className="scroll-list -mx-2 min-h-48 flex-1 px-2 pt-2">
      <ul aria-label={label} style={{ height: totalPx }} className="relative">
        {rows.flatMap(({ index, start }) =>
          albums.slice(index * columns, (index + 1) * columns).map((album, column) => (
            <li
              key={album.id}
              aria-posinset={index * columns + column + 1}
              aria-setsize={-1}
              style={{ top: start, insetInlineStart: column * (coverPx + gapPx) }}
              className="absolute"
            >
              <AlbumCard album={album} sizePx={coverPx} note={note} onOpen={() => onOpen(album)} />
            </li>
          )),
        )}
      </ul>
    </div>
  )
}

/** The width inside the padding of an element. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(usualWidthPx)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidthPx(Math.floor(entry.contentRect.width))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
