import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Page } from '@spotify/web-api-ts-sdk'
import { urlOf } from '../double-server.ts'
import type { SpotifyUser } from './accounts-state.ts'
import type { DoublePlaylist } from './playlists.ts'
import { readPage, requireAccess, requireId, WebApiError } from './web-api-access.ts'
import type { WebApiState } from './web-api-state.ts'
import type {
  EntryAnswer,
  FullPlaylistAnswer,
  OldEntryAnswer,
  OldFullPlaylistAnswer,
  OldPlaylistAnswer,
  PlaylistAnswer,
} from './web-api-types.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** Adds the user's playlists, one playlist, and its entries. */
export function addPlaylistRoutes(app: FastifyInstance, state: WebApiState): void {
  app.get('/v1/me/playlists', (request): Page<PlaylistAnswer | OldPlaylistAnswer | null> => {
    const { user } = requireAccess(state.accounts, request, ['playlist-read-private'])
    const { limit, offset } = readPage(urlOf(request).searchParams, { byDefault: 20, max: 50 })
    const own = state.playlists.filter(({ ownerId }) => ownerId === user.id)
    // The API lists playlists that it cannot show as null.
    const all = [...own.slice(0, 1), null, ...own.slice(1)]
    const items = all.slice(offset, offset + limit).map((playlist) => playlist && describe(state, playlist))
    return state.json.page(items, { path: '/v1/me/playlists', limit, offset, total: all.length })
  })

  app.get('/v1/playlists/:id', (request: IdRequest): FullPlaylistAnswer | OldFullPlaylistAnswer => {
    const { playlist, isReadable } = findPlaylist(state, request)
    if (!isReadable && state.settings.foreignPlaylists === 'forbidden')
      throw new WebApiError(403, 'Forbidden')
    const { items: _reference, ...fields } = state.json.playlist(playlist, ownerOf(state, playlist))
    if (!isReadable) return fields
    const page = pageOfEntries(state, playlist, { limit: 50, offset: 0 })
    return state.settings.usesOldFieldNames
      ? { ...fields, tracks: withOldNames(page) }
      : { ...fields, items: page }
  })

  app.get('/v1/playlists/:id/items', (request: IdRequest) => answerEntries(state, request))

  app.get('/v1/playlists/:id/tracks', (request: IdRequest) => {
    if (!state.settings.usesOldFieldNames) throw new WebApiError(404, 'Service not found')
    return answerEntries(state, request)
  })
}

function answerEntries(
  state: WebApiState,
  request: IdRequest,
): Page<EntryAnswer> | Page<OldEntryAnswer> | Omit<Page<EntryAnswer>, 'items'> {
  const { playlist, isReadable } = findPlaylist(state, request)
  if (!isReadable && state.settings.foreignPlaylists === 'forbidden') throw new WebApiError(403, 'Forbidden')
  const page = pageOfEntries(
    state,
    playlist,
    readPage(urlOf(request).searchParams, { byDefault: 20, max: 50 }),
  )
  if (isReadable) return state.settings.usesOldFieldNames ? withOldNames(page) : page
  const { items: _withheld, ...rest } = page
  return rest
}

/** Only owned and collaborative playlists show their entries. @throws WebApiError 400, 401, 403, 404 */
function findPlaylist(
  state: WebApiState,
  request: IdRequest,
): { playlist: DoublePlaylist; isReadable: boolean } {
  const { user } = requireAccess(state.accounts, request, ['playlist-read-private'])
  const id = requireId(request.params.id)
  const playlist = state.playlists.find((candidate) => candidate.id === id)
  if (!playlist) throw new WebApiError(404, 'Resource not found')
  return { playlist, isReadable: playlist.ownerId === user.id || playlist.isCollaborative }
}

function pageOfEntries(
  { json, tracks }: WebApiState,
  { id, ownerId, entries }: DoublePlaylist,
  { limit, offset }: { limit: number; offset: number },
): Page<EntryAnswer> {
  const findTrack = (trackId: string) => tracks.find((track) => track.id === trackId)
  const items = entries.slice(offset, offset + limit).map((entry) => json.entry(entry, ownerId, findTrack))
  return json.page(items, { path: `/v1/playlists/${id}/items`, limit, offset, total: entries.length })
}

function withOldNames(page: Page<EntryAnswer>): Page<OldEntryAnswer> {
  return { ...page, items: page.items.map(({ item, ...fields }) => ({ ...fields, track: item })) }
}

function describe(state: WebApiState, playlist: DoublePlaylist): PlaylistAnswer | OldPlaylistAnswer {
  const { items, ...fields } = state.json.playlist(playlist, ownerOf(state, playlist))
  return state.settings.usesOldFieldNames ? { ...fields, tracks: items } : { ...fields, items }
}

/** Playlists of users that nobody registered belong to the provider's editors. */
function ownerOf({ accounts }: WebApiState, { ownerId }: DoublePlaylist): SpotifyUser {
  const owner = accounts.users.find(({ id }) => id === ownerId)
  return owner ?? { id: ownerId, displayName: null, isPremium: false, isAllowListed: false }
}
