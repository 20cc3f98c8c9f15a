import { trackArtPath, trackAudioPath } from '@earshot/core/protocol/http-api'
import type { FastifyRequest } from 'fastify'

const mediaRoutes = [trackAudioPath(':trackId'), trackArtPath(':trackId')].map(decodeURIComponent)

/**
 * The pattern of the route that a request goes to, for example `/api/rooms/:roomId`; null where there is none. What holds
 * for a path is decided by this and never by the address as it was sent, which can spell one path in many ways.
 */
export function routeOf(request: FastifyRequest): string | null {
  return request.routeOptions.url ?? null
}

export function isApiCall(request: FastifyRequest): boolean {
  return routeOf(request)?.startsWith('/api/') ?? false
}

/** The sound or the cover of a track. */
export function isMediaCall(request: FastifyRequest): boolean {
  return mediaRoutes.includes(routeOf(request) ?? '')
}
