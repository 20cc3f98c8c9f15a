import type { Source } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { TrackProvider } from './provider.ts'

export interface PlannedProvidersOptions {
  /** Null if not set. */
  spotify: { credentials: object | null }
}

/**
 * Creates providers for sources that this version lists but cannot play. Their status names the environment variables
 * they need, and that setting these is not enough yet.
 */
export function createPlannedProviders({ spotify }: PlannedProvidersOptions): TrackProvider[] {
  const spotifyVariables = 'SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET'
  return [createPlanned('spotify', explain('Spotify', spotifyVariables, spotify.credentials !== null))]
}

function explain(name: string, variables: string, isSet: boolean): string {
  const notYet = `this version of Earshot does not play ${name} yet`
  return isSet
    ? `${variables} ${variables.includes(' and ') ? 'are' : 'is'} set, but ${notYet}.`
    : `Set ${variables} in the server's environment to use ${name}; ${notYet}.`
}

function createPlanned(source: Source, reason: string): TrackProvider {
  return {
    source,
    status: () => ({ source, available: false, reason }),
    search: async () => {
      throw new AppError('source_unavailable', reason)
    },
  }
}
