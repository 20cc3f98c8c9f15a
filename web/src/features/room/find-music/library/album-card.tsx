import type { LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { library as texts } from '../../../../texts/library.ts'
import { Artwork } from '../../../../ui/music/artwork.tsx'
import { StripSkeleton } from './library-skeleton.tsx'

interface AlbumCardProps {
  album: LibraryAlbum
  /** The width of the cover, in px. */
  sizePx: number
  /** Beside the title: the artist unless all have the same. */
  note: 'artist' | 'year'
  onOpen: () => void
}

/** The height of title and note under the cover: it grows with the text. */
const cardTextRem = 2.75

/** Returns that height in px. */
export const cardTextPx = (): number =>
  cardTextRem * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16)

/** An album's cover with its title; opens the album. */
export function AlbumCard({ album, sizePx, note, onOpen }: AlbumCardProps) {
  const artist = album.artist || texts.unknownArtist
  return (
    <button
      type="button"
      title={`${album.title} - ${artist}`}
      onClick={onOpen}
      style={{ width: sizePx, height: `calc(${sizePx}px + ${cardTextRem}rem)` }}
      className="group flex flex-col overflow-hidden rounded-md text-start"
    >
      <Artwork url={album.image} alt="" size={sizePx} seed={album.title} className="rounded-md" />
      <span
        dir="auto"
        className="mt-1.5 block w-full truncate text-xs font-medium group-hover:text-brand-text"
      >
        {album.title}
      </span>{' '}
      <span dir="auto" className="block w-full truncate text-xs text-ink-muted">
        {note === 'artist' ? artist : album.year}
      </span>
    </button>
  )
}

interface AlbumStripProps {
  /** Null while they load. */
  albums: readonly LibraryAlbum[] | null
  heading: string
  onOpen: (album: LibraryAlbum) => void
}

const stripCoverPx = 96

/** A few albums in a row that scrolls sideways. */
export function AlbumStrip({ albums, heading, onOpen }: AlbumStripProps) {
  if (albums === null) return <StripSkeleton />
  if (albums.length === 0) return null
  return (
    <>
      <h3 className="mt-4 mb-2 text-xs font-medium text-ink-muted">{heading}</h3>
      <ul
        aria-label={heading}
        className="-mx-2 flex shrink-0 [scrollbar-width:thin] gap-3 overflow-x-auto overflow-y-hidden px-2 pb-2"
      >
        {albums.map((album) => (
          <li key={album.id} className="shrink-0">
            <AlbumCard album={album} sizePx={stripCoverPx} note="artist" onOpen={() => onOpen(album)} />
          </li>
        ))}
      </ul>
    </>
  )
}
