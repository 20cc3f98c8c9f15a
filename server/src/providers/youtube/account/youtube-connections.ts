import type {
  VideoSearchResult,
  YoutubeConnection,
  YoutubeConnectResult,
} from '@earshot/core/protocol/providers'
import type { Logger } from 'pino'
import type { SearchQuotas } from '../search-quota.ts'
import type { Video } from '../video-track.ts'
import { YoutubeError } from '../youtube-error.ts'
import type { YoutubeApi } from '../youtube-api.ts'
import type { YoutubeKeys } from './youtube-keys.ts'

interface YoutubeConnectionParts {
  api: YoutubeApi
  keys: YoutubeKeys
  quotas: SearchQuotas
  logger: Logger
}

/** The YouTube connections of users (3.12b, 7.13). */
export interface YoutubeConnections {
  find(userId: string): Promise<YoutubeConnection>
  /**
   * Validates the user's new key, the one stored before, or the server's, and stores the connection if it is valid.
   * Costs no search. Failures are results (8.8), without the key.
   */
  connect(userId: string, newKey: string | null): Promise<YoutubeConnectResult>
  disconnect(userId: string): Promise<YoutubeConnection>
}

const sampleCount = 5

type Failure = Extract<YoutubeConnectResult, { success: false }>

export function createYoutubeConnections(parts: YoutubeConnectionParts): YoutubeConnections {
  const { api, keys, quotas, logger } = parts

  const find = async (userId: string): Promise<YoutubeConnection> => {
    const [isConnected, found] = await Promise.all([keys.isConnected(userId), keys.find(userId)])
    return {
      isConnected: isConnected && found !== null,
      hasOwnKey: found?.isOwn ?? false,
      hasServerKey: keys.hasServerKey,
      quota: found && (await quotas.read(found.key)),
    }
  }

  return {
    find,
    async connect(userId, newKey) {
      const found = newKey === null ? await keys.find(userId) : { key: newKey, isOwn: true }
      if (!found) return toFailure('Invalid API key', 'There is no key: enter your own')
      try {
        await api.listPopular(1, found.key)
      } catch (error) {
        return toProviderFailure(error, 'Invalid API key')
      }
      try {
        const samples = await api.listPopular(sampleCount, found.key)
        const isStored = await storeConnection(parts, userId, found)
        if (!isStored) return toFailure('Failed to update profile', 'The profile could not be stored')
        return { success: true, results: samples.map(toSearchResult) }
      } catch (error) {
        return toProviderFailure(error, 'Failed to fetch sample data')
      }
    },
    async disconnect(userId) {
      await keys.disconnect(userId)
      logger.info({ userId }, 'YouTube disconnected')
      return find(userId)
    },
  }
}

async function storeConnection(
  { keys, logger }: YoutubeConnectionParts,
  userId: string,
  found: Parameters<YoutubeKeys['connect']>[1],
): Promise<boolean> {
  try {
    return await keys.connect(userId, found)
  } catch (error) {
    logger.error({ err: error, userId }, 'Could not store a YouTube connection; answering with an error')
    return false
  }
}

/** Uses `text` only where the key itself was refused: an outage or a used-up quota does not concern it. */
function toProviderFailure(error: unknown, text: string): Failure {
  if (!(error instanceof YoutubeError)) throw error
  const isRefusal = error.status !== null && error.status >= 400 && error.status < 500
  const isOfKey = isRefusal && error.kind !== 'limit' && error.kind !== 'busy'
  const failure = toFailure(isOfKey ? text : 'Failed to fetch sample data', error.message)
  return { ...failure, status: error.status }
}

function toFailure(error: string, details: string): Failure {
  return { success: false, error, status: null, details }
}

/** Converts a video to a sample result (3.10). */
function toSearchResult({ id, title, thumbnail, channelTitle }: Video): VideoSearchResult {
  return { id, title, thumbnail, channelTitle }
}
