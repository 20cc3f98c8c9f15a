import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { LinkTarget } from '@earshot/core/protocol/providers'
import type { FastifyInstance } from 'fastify'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import type { TrackProvider } from '../../providers/provider.ts'
import { requireRoomOfGuest } from '../../rooms/room-access.ts'
import { registerCall } from '../http-call.ts'

/** Serves pasted links and playlists from the provider they belong to (7.12b, 7.14b). */
export function registerLinkCalls(
  server: FastifyInstance,
  { db, providers, limiters }: { db: Db; providers: TrackProvider[]; limiters: Limiters },
): void {
  const takePoints = async (user: SessionUser): Promise<void> => {
    await requireRoomOfGuest(db, user)
    await takePoint(limiters.links, user.id)
    await takePoint(limiters.linksDaily, user.id)
  }

  registerCall(server, httpApi.resolveLink, async ({ session: { user }, body }) => {
    await takePoints(user)
    return { target: await resolveLink(providers, body.url, user.id) }
  })

  registerCall(server, httpApi.getPlaylist, async ({ session: { user }, params, query }) => {
    await takePoints(user)
    const provider = providers.find(({ source }) => source === params.source)
    if (!provider?.playlist) throw new AppError('not_found')
    return { page: await provider.playlist(params.playlistId, query.cursor ?? null, user.id) }
  })
}

async function resolveLink(providers: TrackProvider[], link: string, userId: string): Promise<LinkTarget> {
  for (const provider of providers) {
    const target = await provider.resolveLink?.(link, userId)
    if (target) return target
  }
  throw new AppError('link_not_supported')
}
