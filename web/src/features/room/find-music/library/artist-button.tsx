import type { LibraryArtist } from '@earshot/core/protocol/library-calls'
import { library as texts } from '../../../../texts/library.ts'
import { Artwork } from '../../../../ui/music/artwork.tsx'

/** An artist with a cover of theirs; opens their page. */
export function ArtistButton({ artist, onOpen }: { artist: LibraryArtist; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label={texts.openArtist(artist.name)}
      onClick={onOpen}
      className="flex h-14 w-full min-w-0 items-center gap-3 rounded-md text-start hover:text-brand-text"
    >
      <Artwork url={artist.image} alt="" size={40} seed={artist.name} className="rounded-full" />
      <span dir="auto" className="min-w-0 truncate text-sm font-medium">
        {artist.name}
      </span>
    </button>
  )
}
