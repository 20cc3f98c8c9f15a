import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage, type Language } from '@earshot/core/protocol/languages'
import {
  profilePicturePath,
  trackArtPath,
  trackAudioPath,
  trackStreamPath,
} from '@earshot/core/protocol/media-paths'
import type { FastifyRequest } from 'fastify'

const mediaRoutes = [
  ...[trackAudioPath, trackStreamPath, trackArtPath].map((pathOf) => pathOf(':trackId')),
  profilePicturePath(':pictureId'),
].map(decodeURIComponent)

/**
 * Returns the pattern of the matched route, for example `/api/rooms/:roomId`, or null. Rules per path check this and
 * never `request.url`, in which one path can be spelled in many ways.
 */
export function routeOf(request: FastifyRequest): string | null {
  return request.routeOptions.url ?? null
}

export function isApiCall(request: FastifyRequest): boolean {
  return routeOf(request)?.startsWith('/api/') ?? false
}

/** Whether a request asks for the audio or the cover of a track, or for a user's picture. */
export function isMediaCall(request: FastifyRequest): boolean {
  return mediaRoutes.includes(routeOf(request) ?? '')
}

/** Reads single headers by their names in lower case, as `Headers` of the Fetch standard do. */
export type HeaderReader = Pick<Headers, 'get'>

/** Reads Node's headers without the copy of all of them that `toHeaders` makes. */
export function headersOf({ headers }: { headers: IncomingHttpHeaders }): HeaderReader {
  return {
    get(name) {
      const value = headers[name] ?? null
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}

/** Converts Node's headers to the `Headers` of the Fetch standard. */
export function toHeaders(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) headers.append(name, each)
    }
  }
  return headers
}

/** Returns the language that the sender of a request reads. */
export function languageOf({ headers }: { headers: IncomingHttpHeaders }): Language {
  return chooseLanguage(headers.cookie, headers['accept-language'])
}
