import type { IAudioMetadata } from 'music-metadata'

/** The name that players agree on for the artist of a compilation. */
const variousArtists = 'Various Artists'

/** The names of the tags by format, in lower case. Not ARTISTS, which lists the artists without the words between them. */
const artistIds = new Set(['tpe1', 'tp1', 'artist', '©art', 'iart', 'auth', 'track:artist'])
const albumArtistIds = new Set(['tpe2', 'tp2', 'albumartist', 'album artist', 'aart', 'album:artist'])

interface StatedArtists {
  artist: string | undefined
  /** The artist of the album: a compilation's, or the first one of the track, where no tag states it. */
  albumArtist: string | undefined
}

/** Returns the artists that the tags of a file state, each with all of its values. */
export function readArtistTags({ common, native }: IAudioMetadata): StatedArtists {
  const artist = valuesOf(native, common.artist, artistIds)
  const albumArtist = valuesOf(native, common.albumartist, albumArtistIds)
  const firstArtist = artist.isSplit ? joined(artist) : (common.artists?.[0] ?? artist.values[0])
  const isCompilation = common.compilation === true
  return {
    artist: joined(artist) ?? joined(albumArtist),
    albumArtist: joined(albumArtist) ?? (isCompilation ? variousArtists : firstArtist),
  }
}

interface TagValues {
  values: string[]
  /** Whether the parser split one text at each '/'. ID3 before 2.4 has no other separator, and 'AC/DC' is one artist. */
  isSplit: boolean
}

/** Finds all values of the tag whose first value the parser returns. */
function valuesOf(
  native: IAudioMetadata['native'],
  first: string | undefined,
  ids: ReadonlySet<string>,
): TagValues {
  let found: TagValues = { values: first ? [first] : [], isSplit: false }
  for (const [format, tags] of Object.entries(native)) {
    const isSplit = format === 'ID3v2.2' || format === 'ID3v2.3'
    const texts = tags.filter(({ id }) => ids.has(id.toLowerCase())).map(({ value }) => String(value))
    const values = (isSplit ? texts : [...new Set(texts)]).filter((text) => text.trim() !== '')
    if (values[0] === first && values.length > found.values.length) found = { values, isSplit }
  }
  return found
}

function joined({ values, isSplit }: TagValues): string | undefined {
  return values.length === 0 ? undefined : values.join(isSplit ? '/' : ', ')
}
