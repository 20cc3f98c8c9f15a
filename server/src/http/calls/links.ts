import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { LinkTarget } from '@earshot/core/protocol/providers'
import type { FastifyInstance } from 'fastify'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import type { TrackProvider } from '../../providers/provider.ts'
import { registerCall } from '../http-call.ts'

/** Serves pasted links and playlists from the provider they belong to (7.12b, 7.14b). */
export function registerLinkCalls(
  server: FastifyInstance,
  { providers, limiters }: { providers: TrackProvider[]; limiters: Limiters },
): void {
  const takePoints = async (userId: string): Promise<void> => {
    await takePoint(limiters.links, userId)
    await takePoint(limiters.linksDaily, userId)
  }

  registerCall(server, httpApi.resolveLink, async ({ session: { user }, body }) => {
    await takePoints(user.id)
    return { target: await resolveLink(providers, body.url, user.id) }
  })

  registerCall(server, httpApi.getPlaylist, async ({ session: { user }, params, query }) => {
    await takePoints(user.id)
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
