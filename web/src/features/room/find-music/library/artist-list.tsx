import type { LibraryArtist } from '@earshot/core/protocol/library-calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MicVocal } from 'lucide-react'
import { useRef } from 'react'
import { artistsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { withArrowKeys } from '../../../../ui/controls/list-keys.ts'
import { ArtistButton } from './artist-button.tsx'
import { LetterList } from './letter-list.tsx'
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
  return (
    <LetterList from={from} query={query} itemsOf={({ artists }) => artists} icon={MicVocal}>
      {(artists, onEnd) => (
        <ArtistRows
          key={from}
          artists={artists}
          scrolledTo={scrolledTo}
          scrollKey={`artists:${from}`}
          onOpen={({ id }) => pages.open({ kind: 'artist', id })}
          onEnd={onEnd}
        />
      )}
    </LetterList>
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
