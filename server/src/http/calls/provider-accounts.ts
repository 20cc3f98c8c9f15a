import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { createSharedRateLimiter, type Limiters, takePoint } from '../../limits/rate-limits.ts'
import { describeConnection } from '../../providers/spotify/account/spotify-connections.ts'
import { type Spotify, type SpotifyApp, spotifyUnavailable } from '../../providers/spotify/spotify.ts'
import type { YoutubeConnections } from '../../providers/youtube/account/youtube-connections.ts'
import { registerCall } from '../http-call.ts'
import { otherRates } from '../../limits/rates.ts'

/** Serves the signed-in user's Spotify account: connecting, the player's access token, playlists. */
export function registerSpotifyCalls(server: FastifyInstance, spotify: Spotify, redis: Redis | null): void {
  const connects = createSharedRateLimiter('spotify-connect', otherRates.spotifyConnect, redis)
  const tokenRequests = createSharedRateLimiter('spotify-token', otherRates.spotifyToken, redis)
  const requireApp = (): SpotifyApp => {
    if (!spotify.app) throw spotifyUnavailable()
    return spotify.app
  }
  const describe = async (userId: string) => ({
    connection: await describeConnection(spotify.app?.accounts ?? null, userId),
  })

  registerCall(server, httpApi.getSpotifyConnection, async ({ session: { user } }) => describe(user.id))

  registerCall(server, httpApi.authorizeSpotify, async ({ session }) => {
    const { connections } = requireApp()
    await takePoint(connects, session.user.id)
    return { url: await connections.authorize(session) }
  })

  registerCall(server, httpApi.connectSpotify, async ({ session, body }) => {
    const { connections } = requireApp()
    await takePoint(connects, session.user.id)
    await connections.connect(session, body)
    return describe(session.user.id)
  })

  registerCall(server, httpApi.disconnectSpotify, async ({ session: { user } }) => {
    await spotify.disconnect(user.id)
    return describe(user.id)
  })

  registerCall(server, httpApi.getSpotifyToken, async ({ session: { user }, body }) => {
    const { tokens } = requireApp()
    await takePoint(tokenRequests, user.id)
    const { access_token: accessToken, expires_at: expiresAt } = await tokens.get(user.id, body.rejected)
    return { accessToken, expiresAt }
  })

  registerCall(server, httpApi.listPlaylists, async ({ session: { user }, query: { offset } }) =>
    requireApp().playlists.list(user.id, offset),
  )
}

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
