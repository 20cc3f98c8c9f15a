import type { LibraryAlbum, LibraryArtist } from '@earshot/core/protocol/library-calls'
import { library as texts } from '../../../../texts/library.ts'
import { AlbumStrip } from './album-card.tsx'
import { ArtistButton } from './artist-button.tsx'

interface FoundAlbumsAndArtistsProps {
  albums: readonly LibraryAlbum[]
  artists: readonly LibraryArtist[]
  onOpen: (place: { kind: 'album' | 'artist'; id: string }) => void
}

const artistsShown = 3

/** The albums and artists that a search found. */
export function FoundAlbumsAndArtists({ albums, artists, onOpen }: FoundAlbumsAndArtistsProps) {
  return (
    <>
      {artists.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{texts.artists}</h3>
          <ul aria-label={texts.artists} className="shrink-0">
            {artists.slice(0, artistsShown).map((artist) => (
              <li key={artist.id}>
                <ArtistButton artist={artist} onOpen={() => onOpen({ kind: 'artist', id: artist.id })} />
              </li>
            ))}
          </ul>
        </>
      )}
      <AlbumStrip albums={albums} heading={texts.albums} onOpen={({ id }) => onOpen({ kind: 'album', id })} />
    </>
  )
}
