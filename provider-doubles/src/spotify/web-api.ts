import type { FastifyInstance } from 'fastify'
import { urlOf } from '../double-server.ts'
import { searchCatalogue } from './catalogue.ts'
import { addPlaylistRoutes } from './playlist-routes.ts'
import { readPage, requireAccess, requireId, sendWebApiError, WebApiError } from './web-api-access.ts'
import type { WebApiState } from './web-api-state.ts'
import type { ProfileAnswer, SearchAnswer, TrackAnswer } from './web-api-types.ts'

/** Adds search, profile, tracks and playlists. */
export function addWebApi(app: FastifyInstance, state: WebApiState): void {
  const { accounts, json } = state
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof WebApiError) return sendWebApiError(reply, error)
    throw error
  })
  app.setNotFoundHandler((_request, reply) =>
    sendWebApiError(reply, new WebApiError(404, 'Service not found')),
  )

  app.get('/v1/search', (request): SearchAnswer => {
    requireAccess(accounts, request)
    const query = urlOf(request).searchParams
    const text = query.get('q')?.trim()
    if (!text) throw new WebApiError(400, 'No search query')
    const types = query.get('type')?.split(',') ?? []
    if (types.length === 0) throw new WebApiError(400, 'Missing parameter type')
    if (!types.includes('track')) throw new WebApiError(400, 'Bad search type field')
    const { limit, offset } = readPage(query, { byDefault: 5, max: 10 })
    const found = searchCatalogue(state.tracks, text)
    const items = found.slice(offset, offset + limit).map((track) => json.track(track))
    const path = `/v1/search?${new URLSearchParams({ q: text, type: 'track' })}`
    return { tracks: json.page(items, { path, limit, offset, total: found.length }) }
  })

  app.get('/v1/me', (request): ProfileAnswer => json.profile(requireAccess(accounts, request).user))

  app.get<{ Params: { id: string } }>('/v1/tracks/:id', (request): TrackAnswer => {
    requireAccess(accounts, request)
    const track = state.tracks.find(({ id }) => id === requireId(request.params.id))
    if (!track) throw new WebApiError(404, 'Resource not found')
    return json.track(track)
  })

  addPlaylistRoutes(app, state)
}
