import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import type { YoutubeConnections } from '../../providers/youtube/account/youtube-connections.ts'
import { registerCall } from '../http-call.ts'

/** Serves the signed-in user's YouTube connection (7.7c, 7.13). */
export function registerYoutubeCalls(
  server: FastifyInstance,
  { connections, limiters }: { connections: YoutubeConnections; limiters: Limiters },
): void {
  registerCall(server, httpApi.getYoutubeConnection, async ({ session: { user } }) => ({
    connection: await connections.find(user.id),
  }))

  registerCall(server, httpApi.connectYoutube, async ({ session: { user }, body }) => {
    await takePoint(limiters.youtubeConnect, user.id)
    return { result: await connections.connect(user.id, body.apiKey ?? null) }
  })

  registerCall(server, httpApi.disconnectYoutube, async ({ session: { user } }) => ({
    connection: await connections.disconnect(user.id),
  }))
}
