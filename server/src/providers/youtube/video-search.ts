import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { providerIdOf } from '@earshot/core/protocol/providers'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { findVideoSearch, storeVideoSearch } from '../../db/youtube.ts'
import type { SearchQuotas } from './search-quota.ts'
import type { VideoStore } from './video-store.ts'
import { YoutubeError } from './youtube-error.ts'
import type { YoutubeApi } from './youtube-api.ts'
import type { YoutubeKey } from './account/youtube-keys.ts'
import { serverLimits } from '../../server-limits.ts'

interface VideoSearchParts {
  db: Db
  clock: Clock
  logger: Logger
  api: YoutubeApi
  quotas: SearchQuotas
  videos: VideoStore
}

/**
 * Searches videos for a user with a key; resolves to those that can be played in a room, best first. Answers are
 * stored for a day and serve everybody; identical searches under way are one. While YouTube refuses, older answers
 * are used.
 * @throws AppError provider_limit without searches left; YoutubeError
 */
export type VideoSearch = (query: string, key: YoutubeKey, userId: string) => Promise<Track[]>

export function createVideoSearch(parts: VideoSearchParts): VideoSearch {
  const { db, clock } = parts
  const underWay = new Map<string, Promise<Track[]>>()

  const find: VideoSearch = async (query, key, userId) => {
    const normalised = normaliseQuery(query)
    const since = (ms: number) => findVideoSearch(db, normalised, clock.now() - ms)
    const fresh = await since(serverLimits.youtubeFreshMs)
    if (fresh) return await addDetails(parts, fresh, key.key)
    try {
      const found = await searchAndStore(parts, query, { key, userId })
      await storeVideoSearch(
        db,
        normalised,
        found.map((track) => track.id),
        clock.now(),
      )
      return found
    } catch (error) {
      const older = await since(serverLimits.youtubeDataMaxMs)
      if (older) return older
      throw error
    }
  }

  return async (query, key, userId) => {
    const id = `${key.key} ${normaliseQuery(query)}`
    const running = underWay.get(id) ?? find(query, key, userId).finally(() => underWay.delete(id))
    underWay.set(id, running)
    return (await running).filter((track) => !track.restriction)
  }
}

/** Queries that differ in case, width or spaces only are the same search. */
function normaliseQuery(query: string): string {
  const folded = query.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  return folded.slice(0, limits.searchQueryMaxLength).toWellFormed()
}

async function searchAndStore(
  { api, quotas, videos, logger }: VideoSearchParts,
  query: string,
  by: { key: YoutubeKey; userId: string },
): Promise<Track[]> {
  await quotas.take(by.key, by.userId)
  const { key } = by.key
  const hits = await api.search(query, limits.searchPageSize, key).catch(async (error: unknown) => {
    if (error instanceof YoutubeError && error.kind === 'limit') await quotas.exhaust(key)
    throw error
  })
  const ids = hits.map((video) => video.id)
  try {
    const found = await videos.read(ids, key)
    return ids.flatMap((id) => found.get(id) ?? [])
  } catch (error) {
    // The search is spent: its answer is kept, and the details are read with its next use.
    logger.warn({ err: error }, 'Could not read the details of YouTube search results; showing them without')
    return await videos.storeUnchecked(hits)
  }
}

/** Reads the details that could not be read with the search. */
async function addDetails({ videos, logger }: VideoSearchParts, tracks: Track[], key: string) {
  const unknown = tracks.filter((track) => !track.restriction && knownDurationMs(track) === null)
  if (unknown.length === 0) return tracks
  try {
    const found = await videos.read(unknown.map(providerIdOf), key)
    const isUnknown = new Set(unknown)
    return tracks.flatMap((track) => (isUnknown.has(track) ? (found.get(providerIdOf(track)) ?? []) : track))
  } catch (error) {
    logger.warn({ err: error }, 'Could not read the details of stored YouTube results; showing them without')
    return tracks
  }
}
