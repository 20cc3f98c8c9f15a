import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { youtubeMessages } from '@earshot/core/protocol/provider-messages'
import { toTrackId } from '@earshot/core/protocol/providers'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { findFreshTracks } from '../../db/youtube.ts'
import type { TrackProvider } from '../provider.ts'
import { type SearchQuotas, dailyLimitError } from './search-quota.ts'
import type { VideoSearch } from './video-search.ts'
import type { VideoStore } from './video-store.ts'
import { YoutubeError } from './youtube-error.ts'
import type { YoutubeApi } from './youtube-api.ts'
import type { YoutubeKeys } from './account/youtube-keys.ts'
import { parseYoutubeLink } from './youtube-link.ts'
import { readPlaylist } from './youtube-playlist.ts'
import { serverLimits } from '../../server-limits.ts'

interface YoutubeProviderParts {
  db: Db
  clock: Clock
  logger: Logger
  api: YoutubeApi
  keys: YoutubeKeys
  quotas: SearchQuotas
  videos: VideoStore
  search: VideoSearch
}

const source = 'youtube'
const busyRetryMs = 60_000

/** Creates the provider of YouTube's videos. Links and the player need no key; searches and playlists do. */
export function createYoutubeProvider(parts: YoutubeProviderParts): TrackProvider {
  const { keys, quotas } = parts

  return {
    source,
    async status(userId) {
      const found = await keys.find(userId)
      if (!found) return { source, available: true, reason: needsKey, canSearch: false }
      const searchPausedUntil = await quotas.pausedUntil(found, userId)
      return { source, available: true, reason: null, canSearch: true, searchPausedUntil }
    },
    async search(query, { offset, limit }, userId) {
      const text = query.trim()
      const found = text === '' ? null : await keys.find(userId)
      if (!found) return { tracks: [], total: 0 }
      // One search has one page: a second one would be a second search.
      const tracks = await explain(parts, () => parts.search(text, found, userId))
      return { tracks: tracks.slice(offset, offset + limit), total: tracks.length }
    },
    async resolveLink(link, userId) {
      const target = parseYoutubeLink(link)
      if (!target) return null
      if (target.kind === 'video') {
        return { kind: 'track', track: await explain(parts, () => findVideo(parts, target.id, userId)) }
      }
      return { kind: 'playlist', page: await readPart(parts, target.id, null, userId) }
    },
    playlist: (id, cursor, userId) => readPart(parts, id, cursor, userId),
  }
}

const needsKey =
  "Set YOUTUBE_API_KEY in the server's environment, or add your own key in your profile, to search YouTube. " +
  'Pasted links work without a key.'

async function readPart(parts: YoutubeProviderParts, id: string, cursor: string | null, userId: string) {
  const found = await parts.keys.find(userId)
  if (!found) throw new AppError('not_connected', youtubeMessages.playlistNeedsKey)
  const read = () => readPlaylist(parts, { id, cursor, key: found.key })
  return await explain(parts, read, youtubeMessages.requestsUsedUp)
}

/** Finds a video: as stored within a day, with a key, or by oEmbed where there is none or YouTube refuses it. */
async function findVideo(parts: YoutubeProviderParts, videoId: string, userId: string): Promise<Track> {
  const { db, clock, keys, videos } = parts
  const trackId = toTrackId(source, videoId)
  const found = await keys.find(userId)
  const known = (await findFreshTracks(db, [trackId], clock.now() - serverLimits.youtubeFreshMs)).get(trackId)
  if (known && (found === null || known.restriction || knownDurationMs(known) !== null)) return known
  if (!found) return await findWithoutKey(parts, videoId)
  try {
    const track = (await videos.read([videoId], found.key)).get(videoId)
    if (!track) throw new AppError('track_not_found', youtubeMessages.noSuchVideo)
    return track
  } catch (error) {
    if (!(error instanceof YoutubeError)) throw error
    parts.logger.warn({ err: error }, 'Could not read a YouTube video with the key; trying without')
    return await findWithoutKey(parts, videoId)
  }
}

async function findWithoutKey({ api, videos }: YoutubeProviderParts, videoId: string): Promise<Track> {
  const video = await api.findByOembed(videoId)
  const [track] = video ? await videos.storeUnchecked([video]) : []
  if (!track) throw new AppError('track_not_found', youtubeMessages.videoNotShown)
  return track
}

/** Converts YouTube's refusals to errors of the contract, and logs them. */
async function explain<Result>(
  { clock, logger }: Pick<YoutubeProviderParts, 'clock' | 'logger'>,
  task: () => Promise<Result>,
  usedUp?: string,
): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    if (!(error instanceof YoutubeError)) throw error
    logger.warn(
      { status: error.status, reason: error.message },
      'YouTube refused a request; answering with an error',
    )
    throw toAppError(error, clock.now(), usedUp)
  }
}

function toAppError({ kind }: YoutubeError, nowMs: number, usedUp?: string): AppError {
  switch (kind) {
    case 'limit':
      return dailyLimitError(nowMs, usedUp)
    case 'busy':
      return new AppError('provider_limit', youtubeMessages.busy, { retryAfterMs: busyRetryMs })
    case 'key':
      return new AppError('provider_failed', youtubeMessages.keyRefused)
    case 'missing':
      return new AppError('not_found', youtubeMessages.noSuchPlaylist)
    case 'cursor':
      return new AppError('invalid_input', 'cursor: There is no such part of the playlist')
    case 'failed':
      return new AppError('provider_failed', youtubeMessages.noAnswer)
  }
}
