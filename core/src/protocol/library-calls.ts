import { z } from 'zod'
import { limits } from '../limits.ts'
import { trackSchema } from './entities.ts'
import { trackIdSchema } from './ids.ts'

/** The music library as a place to browse: albums, artists, and what is new (17.70 to 17.76). */

const idParam = z.string().min(1).max(64)

/** Continues a list behind the last row of a page, as `nextCursor` of that page. */
const cursorSchema = z.string().min(1).max(limits.libraryCursorMaxLength).optional()

/** `from`: the first letters at which the list starts, such as 'm'. */
const listQuery = z.object({ from: z.string().max(20).optional(), cursor: cursorSchema })

/** `artist` is empty if unknown; of a compilation it is the album's. `image` is the address of a cover. */
const libraryAlbumSchema = z.object({
  id: z.string(),
  title: z.string(),
  artist: z.string(),
  artistId: z.string().nullable(),
  year: z.number().int().nullable(),
  image: z.string().nullable(),
})
export type LibraryAlbum = z.infer<typeof libraryAlbumSchema>

const libraryArtistSchema = z.object({
  id: z.string(),
  name: z.string(),
  image: z.string().nullable(),
})
export type LibraryArtist = z.infer<typeof libraryArtistSchema>

/**
 * A track with its place on the album: on the first disc, and with null for its number, where the file states none.
 * Its disc is null only until the first scan after an update from a version that did not read discs.
 */
const albumTrackSchema = z.object({
  track: trackSchema,
  disc: z.number().int().nullable(),
  number: z.number().int().nullable(),
})
export type AlbumTrack = z.infer<typeof albumTrackSchema>

export const libraryCalls = {
  listRecentAlbums: {
    method: 'GET',
    path: '/api/library/recent-albums',
    summary: 'List the albums that came to the library last, latest first',
    signedIn: true,
    response: z.object({
      albums: z.array(libraryAlbumSchema),
      /** The server is scanning the music folder, so more may follow. */
      isScanning: z.boolean(),
    }),
  },
  listAlbums: {
    method: 'GET',
    path: '/api/library/albums',
    summary: 'List the albums of the library by title, or those of an artist by year, in pages',
    signedIn: true,
    query: listQuery.extend({ artistId: idParam.optional() }),
    response: z.object({ albums: z.array(libraryAlbumSchema), nextCursor: z.string().nullable() }),
  },
  getAlbum: {
    method: 'GET',
    path: '/api/library/albums/:albumId',
    summary: 'Get an album and its tracks in order, in pages',
    signedIn: true,
    params: z.object({ albumId: idParam }),
    query: z.object({ cursor: cursorSchema }),
    response: z.object({
      album: libraryAlbumSchema,
      tracks: z.array(albumTrackSchema),
      nextCursor: z.string().nullable(),
    }),
  },
  listArtists: {
    method: 'GET',
    path: '/api/library/artists',
    summary: 'List the artists of the albums and of the tracks without one, by name, in pages',
    signedIn: true,
    query: listQuery,
    response: z.object({ artists: z.array(libraryArtistSchema), nextCursor: z.string().nullable() }),
  },
  listLetters: {
    method: 'GET',
    path: '/api/library/letters',
    summary:
      'List the letters at which albums or artists start, in the order of the list; of very many, a part',
    signedIn: true,
    query: z.object({ of: z.enum(['albums', 'artists']) }),
    response: z.object({ letters: z.array(z.string()) }),
  },
  getArtist: {
    method: 'GET',
    path: '/api/library/artists/:artistId',
    summary: 'Get an artist and their tracks that are on no album, in pages',
    signedIn: true,
    params: z.object({ artistId: idParam }),
    query: z.object({ cursor: cursorSchema }),
    response: z.object({
      artist: libraryArtistSchema,
      tracks: z.array(trackSchema),
      nextCursor: z.string().nullable(),
    }),
  },
  searchLibrary: {
    method: 'GET',
    path: '/api/library/search',
    summary: 'Find albums and artists of the library by a part of their names',
    signedIn: true,
    query: z.object({ q: z.string().trim().min(1).max(limits.searchQueryMaxLength) }),
    response: z.object({ albums: z.array(libraryAlbumSchema), artists: z.array(libraryArtistSchema) }),
  },
  getWaveform: {
    method: 'GET',
    path: '/api/tracks/:trackId/waveform',
    summary: 'Get how loud 200 parts of a library track are, from 0 to 255 (members of a room that has it)',
    signedIn: true,
    params: z.object({ trackId: trackIdSchema }),
    /** Null for a track without one. */
    response: z.object({ peaks: z.array(z.number().int()).nullable() }),
  },
} as const
