import { z } from 'zod'
import { limits } from '../limits.ts'
import { sourceSchema } from './entities.ts'
import { roomParams, trackIdSchema } from './ids.ts'
import {
  importResultSchema,
  linkTargetSchema,
  playlistPageSchema,
  playlistSchema,
  profileStatsSchema,
  spotifyConnectionSchema,
  trackMatchSchema,
  youtubeConnectionSchema,
  youtubeConnectResultSchema,
} from './providers.ts'

/** The HTTP calls about providers: connecting accounts, playlists, links, imports, matches, statistics. */

export const providerCalls = {
  getSpotifyConnection: {
    method: 'GET',
    path: '/api/spotify',
    summary: "Get the state of the user's Spotify account",
    signedIn: true,
    response: z.object({ connection: spotifyConnectionSchema }),
  },
  authorizeSpotify: {
    method: 'POST',
    path: '/api/spotify/authorize',
    summary: 'Start to connect Spotify: returns the address of its consent page',
    signedIn: true,
    needsAccount: true,
    signedOutMessage: 'You must be logged in to connect to Spotify',
    response: z.object({ url: z.string() }),
  },
  connectSpotify: {
    method: 'POST',
    path: '/api/spotify/callback',
    summary: 'Finish connecting Spotify with the code and the single-use state that it returned',
    signedIn: true,
    needsAccount: true,
    signedOutMessage: 'You must be logged in to connect to Spotify',
    body: z.object({ code: z.string().min(1).max(2_000), state: z.string().min(1).max(500) }),
    response: z.object({ connection: spotifyConnectionSchema }),
  },
  disconnectSpotify: {
    method: 'DELETE',
    path: '/api/spotify',
    summary: 'Disconnect Spotify and forget its tokens',
    signedIn: true,
    response: z.object({ connection: spotifyConnectionSchema }),
  },
  getSpotifyToken: {
    method: 'POST',
    path: '/api/spotify/token',
    summary: "Get a short-lived access token for the page's own Spotify player",
    signedIn: true,
    needsAccount: true,
    noStore: true,
    /** `rejected`: the token that Spotify refused although it had not expired, for another one. */
    body: z.object({ rejected: z.string().min(1).max(2_000).optional() }),
    response: z.object({ accessToken: z.string(), expiresAt: z.number() }),
  },
  listPlaylists: {
    method: 'GET',
    path: '/api/spotify/playlists',
    summary: "List the user's Spotify playlists, in pages",
    signedIn: true,
    needsAccount: true,
    query: z.object({ offset: z.coerce.number().int().min(0).max(limits.searchOffsetMax).default(0) }),
    response: z.object({ playlists: z.array(playlistSchema), nextOffset: z.number().int().nullable() }),
  },
  getYoutubeConnection: {
    method: 'GET',
    path: '/api/youtube',
    summary: "Get the state of the user's YouTube connection",
    signedIn: true,
    response: z.object({ connection: youtubeConnectionSchema }),
  },
  connectYoutube: {
    method: 'POST',
    path: '/api/youtube/connect',
    summary: "Validate the server's key, or the user's own, and show sample results",
    signedIn: true,
    needsAccount: true,
    signedOutMessage: 'You must be logged in to connect to YouTube',
    body: z.object({ apiKey: z.string().trim().min(1).max(200).nullish() }),
    response: z.object({ result: youtubeConnectResultSchema }),
  },
  disconnectYoutube: {
    method: 'DELETE',
    path: '/api/youtube',
    summary: "Disconnect YouTube and forget the user's own key",
    signedIn: true,
    response: z.object({ connection: youtubeConnectionSchema }),
  },
  resolveLink: {
    method: 'POST',
    path: '/api/links',
    summary: 'Find the track or playlist behind a pasted YouTube or Spotify link, without a search',
    signedIn: true,
    body: z.object({ url: z.string().trim().min(1).max(2_000) }),
    response: z.object({ target: linkTargetSchema }),
  },
  getPlaylist: {
    method: 'GET',
    path: '/api/playlists/:source/:playlistId',
    summary: 'Get a playlist and its tracks, in parts',
    signedIn: true,
    params: z.object({ source: sourceSchema, playlistId: playlistSchema.shape.id }),
    query: z.object({ cursor: z.string().max(500).optional() }),
    response: z.object({ page: playlistPageSchema }),
  },
  importTracks: {
    method: 'POST',
    path: '/api/rooms/:roomId/queue/import',
    summary: 'Append several known tracks at once; repeating an import adds nothing twice (members)',
    signedIn: true,
    params: roomParams,
    body: z.object({
      /** Chosen by the client: the same for a retry of the same part. */
      importId: z.string().regex(/^[\w-]{8,64}$/),
      trackIds: z.array(trackIdSchema).min(1).max(limits.importBatchSize),
    }),
    response: z.object({ results: z.array(importResultSchema) }),
  },
  listMatches: {
    method: 'GET',
    path: '/api/tracks/:trackId/matches',
    summary: 'Find the same song in other sources, best first',
    signedIn: true,
    params: z.object({ trackId: trackIdSchema }),
    response: z.object({ matches: z.array(trackMatchSchema) }),
  },
  getProfileStats: {
    method: 'GET',
    path: '/api/profile/stats',
    summary: "Get the signed-in user's statistics",
    signedIn: true,
    needsAccount: true,
    response: z.object({ stats: profileStatsSchema }),
  },
} as const
