import { type Clock, dayMs } from '@earshot/core/clock'
import { providerIdOf } from '@earshot/core/protocol/providers'
import type { Logger } from 'pino'
import { repeat } from '../../async/repeat.ts'
import type { Db } from '../../db/database.ts'
import { blankVideos, deleteUnusedTracks, deleteVideoSearches, listStaleVideos } from '../../db/youtube.ts'
import type { SearchQuotas } from './search-quota.ts'
import type { VideoStore } from './video-store.ts'
import { unknownTitle } from './video-track.ts'
import { batchSize, type YoutubeApi } from './youtube-api.ts'
import { serverLimits } from '../../server-limits.ts'

interface DataRefreshParts {
  db: Db
  clock: Clock
  logger: Logger
  api: YoutubeApi
  videos: VideoStore
  quotas: SearchQuotas
  serverKey: string | null
}

const firstMs = 60_000
/** Time to try again before data must be gone. */
const aheadMs = dayMs
/** Bounds a run: 4 requests with a key, 20 without. The rest follows in the next run. */
const batches = 4
const keylessBatch = 5
const deletedAtOnce = 5_000

/**
 * Keeps no data of YouTube for more than 30 days (15.15): tracks that are current or queued are read again a day
 * before, others are deleted, those of Spotify too, and what cannot be read again loses its texts. Returns a function
 * that stops it and resolves when no run is under way.
 */
export function startDataRefresh(parts: DataRefreshParts): () => Promise<void> {
  const { clock, logger } = parts
  return repeat(
    clock,
    { firstMs, everyMs: serverLimits.youtubeSweepMs },
    () => refreshData(parts),
    (error) => logger.error({ err: error }, 'Could not refresh stored YouTube data; retrying in an hour'),
  )
}

async function refreshData(parts: DataRefreshParts): Promise<void> {
  const { db, clock, quotas } = parts
  const oldestMs = clock.now() - serverLimits.youtubeDataMaxMs
  await quotas.sweep()
  await deleteVideoSearches(db, oldestMs + aheadMs)
  await deleteUnusedTracks(db, oldestMs + aheadMs, deletedAtOnce)
  await refreshUsed(parts, oldestMs + aheadMs)
  await blankVideos(db, oldestMs, unknownTitle)
}

async function refreshUsed(parts: DataRefreshParts, beforeMs: number): Promise<void> {
  const { db, logger } = parts
  const size = parts.serverKey === null ? keylessBatch : batchSize
  try {
    for (let batch = 0; batch < batches; batch++) {
      const stale = await listStaleVideos(db, beforeMs, size)
      if (stale.length === 0) return
      await readAgain(
        parts,
        stale.map((id) => providerIdOf({ id })),
      )
    }
  } catch (error) {
    logger.warn({ err: error }, 'Could not read stored YouTube videos again; retrying in an hour')
  }
}

async function readAgain({ api, videos, serverKey }: DataRefreshParts, ids: string[]): Promise<void> {
  if (serverKey !== null) {
    await videos.read(ids, serverKey)
    return
  }
  for (const id of ids) {
    const video = await api.findByOembed(id)
    await (video ? videos.storeUnchecked([video]) : videos.markRemoved([id]))
  }
}
