import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import type { Playlist, PlaylistPage } from '@earshot/core/protocol/providers'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { upsertTracks } from '../../db/tracks.ts'
import { playlistItemsAnswerSchema, playlistsAnswerSchema, readEntry, readPlaylist } from './answers.ts'
import type { WebApi } from './web-api.ts'
import { serverLimits } from '../../server-limits.ts'

export interface SpotifyPlaylists {
  /** Lists the user's playlists, in pages of 50. @throws AppError */
  list(userId: string, offset: number): Promise<{ playlists: Playlist[]; nextOffset: number | null }>
  /** Reads a part of 50 entries and stores its tracks. Entries that cannot be queued are listed with the reason. */
  read(id: string, cursor: string | null, userId: string): Promise<PlaylistPage>
}

interface SpotifyPlaylistsParts {
  db: Db
  clock: Clock
  webApi: WebApi
}

export function createSpotifyPlaylists({ db, clock, webApi }: SpotifyPlaylistsParts): SpotifyPlaylists {
  const limit = serverLimits.spotifyPlaylistPageSize

  const readItems = async (id: string, offset: number, userId: string) => {
    const read = (name: 'items' | 'tracks', missing?: AppError) =>
      webApi.read(userId, {
        path: `playlists/${id}/${name}`,
        query: { limit, offset },
        schema: playlistItemsAnswerSchema,
        missing,
        refused: new AppError('provider_failed', spotifyMessages.playlistNotShown),
      })
    const isOld = new AppError('not_found')
    try {
      return await read('items', isOld)
    } catch (error) {
      // The name of before February 2026, which apps with extended quota keep.
      if (error === isOld) return await read('tracks', noSuchPlaylist())
      throw error
    }
  }

  return {
    async list(userId, offset) {
      const query = { limit, offset }
      const answer = await webApi.read(userId, { path: 'me/playlists', query, schema: playlistsAnswerSchema })
      const playlists = (answer.items ?? []).flatMap((item) => readPlaylist(item) ?? [])
      return { playlists, nextOffset: nextOf(answer, offset) }
    },

    async read(id, cursor, userId) {
      const offset = readCursor(cursor)
      if (!/^\w{1,100}$/.test(id)) throw noSuchPlaylist()
      const refused = new AppError('provider_failed', spotifyMessages.playlistNotShown)
      const missing = noSuchPlaylist()
      const schema = z.looseObject({}).catch({})
      const request = { path: `playlists/${id}`, schema, missing, refused }
      const [answerOfPlaylist, answer] = await Promise.all([
        webApi.read(userId, request),
        readItems(id, offset, userId),
      ])
      const playlist = readPlaylist({ ...answerOfPlaylist, id })
      if (!playlist) throw new AppError('provider_failed', spotifyMessages.unreadable)
      if (!answer.items) throw refused
      const entries = answer.items.map(readEntry)
      const tracks = entries.flatMap((entry) => ('track' in entry ? [entry.track] : []))
      await upsertTracks(db, [...new Map(tracks.map((track) => [track.id, track])).values()], clock.now())
      const next = nextOf(answer, offset)
      return {
        playlist,
        tracks,
        skipped: entries.flatMap((entry) => ('track' in entry ? [] : [entry])),
        nextCursor: next === null ? null : String(next),
      }
    },
  }
}

const noSuchPlaylist = (): AppError => new AppError('not_found', spotifyMessages.noSuchPlaylist)

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0
  if (!/^\d{1,5}$/.test(cursor)) throw new AppError('invalid_input', 'The cursor of this playlist is invalid')
  return Number(cursor)
}

/** Returns where the next part begins; null after the last one, and after an empty part, so that reading ends. */
function nextOf(
  { items, total, next }: z.infer<typeof playlistItemsAnswerSchema>,
  offset: number,
): number | null {
  const end = offset + (items?.length ?? 0)
  const hasMore = total === null || total === undefined ? Boolean(next) : end < total
  return hasMore && end > offset && end <= limits.searchOffsetMax ? end : null
}
