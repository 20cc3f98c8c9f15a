import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { LibraryRule } from '../../accounts/library-access.ts'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { findTrack } from '../../db/tracks.ts'
import type { LibraryProvider } from '../../library/library-provider.ts'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import type { TrackProvider, TracksFound } from '../../providers/provider.ts'
import { requireRoomOfGuest } from '../../rooms/room-access.ts'
import { registerCall } from '../http-call.ts'
import { serverLimits } from '../../server-limits.ts'

interface MusicParts {
  db: Db
  library: LibraryProvider
  /** The other sources, in the order of the list. */
  otherProviders: TrackProvider[]
  limiters: Limiters
  libraryRule: LibraryRule
}

/** Serves the list of sources, search in one of them, single tracks, and browsing the library. */
export function registerMusicCalls(server: FastifyInstance, parts: MusicParts): void {
  const { db, library, otherProviders, limiters, libraryRule } = parts
  const providers = new Map([library, ...otherProviders].map((provider) => [provider.source, provider]))

  const requireLibrary = async (user: SessionUser, points = 1): Promise<void> => {
    await libraryRule.require(user.id)
    await takePoint(limiters.library, user.id, points)
  }

  registerCall(server, httpApi.listSources, async ({ session }) => ({
    sources: await Promise.all(
      [...providers.values()].map(async (provider) => {
        const status = await provider.status(session?.user.id ?? null)
        const isGuest = session?.user.isGuest === true && provider !== library
        if (!isGuest || status.canSearch === false) return status
        return { ...status, canSearch: false, searchNeedsAccount: true }
      }),
    ),
  }))

  registerCall(server, httpApi.searchTracks, async ({ query, session: { user } }) => {
    const { source, q, offset, limit } = query
    await requireRoomOfGuest(db, user)
    const provider = providers.get(source)
    if (!provider) throw new AppError('source_unavailable')
    if (provider === library) await requireLibrary(user, serverLimits.librarySearchPoints)
    else await takeProviderSearch(limiters, user)
    const found = await provider.search(q, { offset, limit }, user.id)
    return toPage(found, { offset, offsetMax: limits.searchOffsetMax })
  })

  registerCall(server, httpApi.getTrack, async ({ params }) => {
    const track = await findTrack(db, params.trackId)
    if (!track) throw new AppError('track_not_found')
    return { track }
  })

  registerCall(server, httpApi.browseLibrary, async ({ query: { offset }, session: { user } }) => {
    await requireRoomOfGuest(db, user)
    await requireLibrary(user)
    const { isScanning, ...found } = await library.browse({ offset, limit: limits.searchPageSize })
    return { ...toPage(found, { offset }), isScanning }
  })
}

/** Adds the offset of the next page: null after the last one, and beyond `offsetMax`. */
export function toPage(
  { tracks, total, nextOffset }: TracksFound,
  { offset, offsetMax = Infinity }: { offset: number; offsetMax?: number },
): TracksFound & { nextOffset: number | null } {
  const after = tracks.length > 0 && offset + tracks.length < total ? offset + tracks.length : null
  const next = nextOffset === undefined ? after : nextOffset
  return { tracks, total, nextOffset: next !== null && next <= offsetMax ? next : null }
}

/** Guests are made by the dozen, so they search no provider: its searches are counted, and shared by all users. */
async function takeProviderSearch(limiters: Limiters, user: SessionUser): Promise<void> {
  if (user.isGuest) throw new AppError('account_required', 'Guests search the library, and paste links')
  await takePoint(limiters.providerSearch, user.id)
}
