import type { Source, Track } from '../protocol/entities.ts'

/** Creates a track. */
export function makeTrack(id: string, duration = 200_000, source: Source = 'library'): Track {
  return {
    id,
    title: `Title of ${id}`,
    artist: 'Artist',
    album: 'Album',
    duration,
    source,
    albumArt: null,
    album_art: null,
    url: null,
    uri: null,
  }
}
