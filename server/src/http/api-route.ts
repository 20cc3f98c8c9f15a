import type { FastifyRequest } from 'fastify'

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
