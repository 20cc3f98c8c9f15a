import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { findTrack } from '../../db/tracks.ts'
import type { TrackProvider } from '../../providers/provider.ts'
import { registerCall } from '../http-call.ts'
import { toPageAnswer } from './track-page.ts'

/** Search in one source, and single tracks by id. */
export function registerTrackRoutes(
  server: FastifyInstance,
  { db, providers }: { db: Db; providers: ReadonlyMap<Source, TrackProvider> },
): void {
  registerCall(server, httpApi.searchTracks, async ({ query }) => {
    const { source, q, offset, limit } = query
    const provider = providers.get(source)
    if (!provider) throw new AppError('source_unavailable')
    return toPageAnswer(await provider.search(q, { offset, limit }), {
      offset,
      offsetMax: limits.searchOffsetMax,
    })
  })

  registerCall(server, httpApi.getTrack, async ({ params }) => {
    const track = await findTrack(db, params.trackId)
    if (!track) throw new AppError('track_not_found')
    return { track }
  })
}
