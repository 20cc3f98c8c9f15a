import { z } from 'zod'
import { sourceSchema, trackSchema } from './entities.ts'

/** Accounts at the providers, playlists, and whether a member can play a track. Instants in ms since the epoch. */

/** The permissions for which Earshot asks at Spotify (7.10b). */
export const spotifyScopes: readonly string[] = [
  'user-read-private',
  'user-read-email',
  'user-read-playback-state',
  'user-modify-playback-state',
  'user-read-currently-playing',
  'streaming',
  'playlist-read-private',
  'playlist-read-collaborative',
]

/** The signed-in user's Spotify account. */
export const spotifyConnectionSchema = z.object({
  isConnected: z.boolean(),
  /** The account's name at Spotify; null if unknown. */
  displayName: z.string().nullable(),
  /** When the user consented. The consent ends six months later, however often tokens are refreshed. */
  authorizedAt: z.number().nullable(),
  /** The consent is older than five months. */
  expiresSoon: z.boolean(),
  /** The consent has ended or was withdrawn: the user must connect again. */
  mustReconnect: z.boolean(),
})
export type SpotifyConnection = z.infer<typeof spotifyConnectionSchema>

/** 3.10 */
const videoSearchResultSchema = z.object({
  id: z.string(),
  title: z.string(),
  thumbnail: z.string().nullable(),
  channelTitle: z.string(),
})
export type VideoSearchResult = z.infer<typeof videoSearchResultSchema>

/** The searches of a day that a YouTube key allows, as this server counts them. */
const searchQuotaSchema = z.object({
  used: z.number().int().nonnegative(),
  limit: z.number().int().positive(),
  resetsAt: z.number(),
})
export type SearchQuota = z.infer<typeof searchQuotaSchema>

/** 3.12. The signed-in user's YouTube connection. */
export const youtubeConnectionSchema = z.object({
  isConnected: z.boolean(),
  /** Whether the user's own key is used instead of the server's. The key itself never leaves the server. */
  hasOwnKey: z.boolean(),
  /** Whether the server has a key, so that connecting needs none of the user's. */
  hasServerKey: z.boolean(),
  /** Of the key that this user's searches use; null without a key. */
  quota: searchQuotaSchema.nullable(),
})
export type YoutubeConnection = z.infer<typeof youtubeConnectionSchema>

/** 8.8. The outcome of validating a YouTube key. */
export const youtubeConnectResultSchema = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), results: z.array(videoSearchResultSchema) }),
  z.object({
    success: z.literal(false),
    error: z.string(),
    /** The HTTP status of the provider; null if it did not answer. */
    status: z.number().int().nullable(),
    details: z.string().nullable(),
  }),
])
export type YoutubeConnectResult = z.infer<typeof youtubeConnectResultSchema>

export const playlistSchema = z.object({
  id: z.string().min(1).max(200),
  source: sourceSchema,
  name: z.string(),
  /** Null if unknown. */
  trackCount: z.number().int().nonnegative().nullable(),
  image: z.string().nullable(),
  ownerName: z.string().nullable(),
})
export type Playlist = z.infer<typeof playlistSchema>

/** A part of a playlist. Entries that are no playable track are listed with the reason. */
export const playlistPageSchema = z.object({
  playlist: playlistSchema,
  tracks: z.array(trackSchema),
  skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
  /** Null after the last part. */
  nextCursor: z.string().nullable(),
})
export type PlaylistPage = z.infer<typeof playlistPageSchema>

/** The target of a pasted link. */
export const linkTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('track'), track: trackSchema }),
  z.object({ kind: z.literal('playlist'), page: playlistPageSchema }),
])
export type LinkTarget = z.infer<typeof linkTargetSchema>

/** The same song in another source. `confidence`: 0..1. */
export const trackMatchSchema = z.object({
  track: trackSchema,
  confidence: z.number().min(0).max(1),
  by: z.enum(['isrc', 'text']),
})
export type TrackMatch = z.infer<typeof trackMatchSchema>

/** The outcome of importing one track. */
export const importResultSchema = z.object({
  trackId: z.string(),
  status: z.enum(['added', 'already_added', 'not_found', 'not_playable', 'queue_full', 'too_many_waiting']),
})
export type ImportResult = z.infer<typeof importResultSchema>

/** Why a member cannot play a track. */
export const unplayableReasonSchema = z.enum([
  'not_connected', // the streaming account is not connected
  'no_premium',
  'no_drm', // the browser cannot decrypt the stream
  'app_paused', // the provider has paused the server's app
  'format', // the browser cannot decode the file
  'not_embeddable',
  'blocked', // by region or age
  'removed',
  'live', // a live stream has no position that a room could share
])
export type UnplayableReason = z.infer<typeof unplayableReasonSchema>

/** How many members cannot play a track, by track id; only of the current and the next tracks, without zeros. */
export const unplayableCountsSchema = z.record(z.string(), z.number().int().positive())
export type UnplayableCounts = z.infer<typeof unplayableCountsSchema>

/** 3.11. `totalPlaytime` in minutes; `favoriteService` is null before anything was played. */
export const profileStatsSchema = z.object({
  totalRoomsCreated: z.number().int().nonnegative(),
  totalPlaytime: z.number().nonnegative(),
  favoriteService: sourceSchema.nullable(),
})
export type ProfileStats = z.infer<typeof profileStatsSchema>

/** Returns the id of a provider's track in Earshot: the source and the provider's own id. */
export const toTrackId = (source: 'spotify' | 'youtube', providerId: string): string =>
  `${source}:${providerId}`

/** Returns the provider's own id of a track, for example a video's. */
export const providerIdOf = (track: { id: string }): string => track.id.slice(track.id.indexOf(':') + 1)
