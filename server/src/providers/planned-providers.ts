import { AppError } from '@earshot/core/protocol/errors'
import type { TrackProvider } from './provider.ts'

export interface PlannedProvidersOptions {
  /** Null if not set. */
  youtube: { apiKey: string | null }
}

/**
 * Creates providers for sources that this version lists but cannot play. Their status names the environment variables
 * they need, and that setting these is not enough yet.
 */
export function createPlannedProviders({ youtube }: PlannedProvidersOptions): TrackProvider[] {
  const notYet = 'this version of Earshot does not play YouTube yet'
  const reason =
    youtube.apiKey === null
      ? `Set YOUTUBE_API_KEY in the server's environment to use YouTube; ${notYet}.`
      : `YOUTUBE_API_KEY is set, but ${notYet}.`
  return [
    {
      source: 'youtube',
      status: () => ({ source: 'youtube', available: false, reason }),
      search: async () => {
        throw new AppError('source_unavailable', reason)
      },
    },
  ]
}
