import { startDoubleServer, type RecordedCall } from '../double-server.ts'
import type { Faults } from '../faults.ts'
import { addApiRoutes, apiPath, oembedPath, type ApiServerState } from './api-server.ts'
import { Catalogue } from './catalogue.ts'
import { DailyQuota, type QuotaLimits, type QuotaUse } from './daily-quota.ts'
import type { KeyState } from './data-api.ts'
import type { PlayerBehaviour } from './player/behaviour.ts'
import { addPlayerRoutes, type PlayerServerState } from './player-server.ts'

export interface YoutubeDoubleOptions {
  /** Valid keys. Default: `defaultApiKey`. */
  apiKeys?: string[]
  /** Default: 100 searches and 10,000 other calls a day. */
  quota?: Partial<QuotaLimits>
  /** The time by which days of the quota are counted, ms. Default: the system's. */
  now?: () => number
}

/** A double of YouTube on loopback ports, with the addresses that `YOUTUBE_*_URL` of the server take. */
export interface YoutubeDouble {
  apiUrl: string
  oembedUrl: string
  /** The script. The player's frame is on its origin, which is not that of the API. */
  playerUrl: string
  /** Requests to the Data API and to oEmbed, oldest first. */
  calls: RecordedCall[]
  /** Requests for the player's script, frames and sounds. */
  playerCalls: RecordedCall[]
  control: YoutubeControl
  close(): Promise<void>
}

/** Changes what the double does from now on. */
export interface YoutubeControl {
  /** Adds, changes and removes videos and playlists. */
  catalogue: Catalogue
  /** Replaces or delays answers of the Data API and oEmbed; `apiFaults` has Google's refusals. */
  faults: Faults
  /** Replaces or delays answers for the player's script (`/iframe_api`), frames (`/embed/`) and sounds (`/sound/`). */
  playerFaults: Faults
  /** Sets how the player behaves when it loads a video, or any (`*`), from now on; null for the default. */
  setBehaviour(videoId: string, behaviour: Partial<PlayerBehaviour> | null): void
  /** Moves all viewers to a country, a code of two letters. Default: US. */
  setCountry(country: string): void
  /** Adds a key, or changes what it may do; null makes it invalid. */
  setKey(key: string, state: KeyState | null): void
  setQuota(limits: Partial<QuotaLimits>): void
  /** Today's use of a key. */
  quotaOf(key: string): Readonly<QuotaUse>
  /** Sets the use of all keys back to nothing, as midnight in California does. */
  resetQuota(): void
  /** Sets the status with which oEmbed answers for a well-formed id without a video. Default: 404. */
  setOembedMissingStatus(status: 400 | 404): void
}

export const defaultApiKey = 'AIzaDoubleKey0000000000000000000000001'

/** Starts the double. */
export async function startYoutubeDouble(options: YoutubeDoubleOptions = {}): Promise<YoutubeDouble> {
  const state: ApiServerState = {
    catalogue: new Catalogue(),
    quota: new DailyQuota(
      { searchesPerDay: 100, unitsPerDay: 10_000, ...options.quota },
      options.now ?? Date.now,
    ),
    keys: new Map((options.apiKeys ?? [defaultApiKey]).map((key) => [key, 'valid'])),
    oembedMissingStatus: 404,
  }
  const api = await startDoubleServer((app) => addApiRoutes(app, state))
  const playerState: PlayerServerState = {
    catalogue: state.catalogue,
    behaviours: new Map(),
    country: 'US',
  }
  const player = await startDoubleServer((app, origin) => addPlayerRoutes(app, origin, playerState))
  return {
    apiUrl: `${api.origin}${apiPath}`,
    oembedUrl: `${api.origin}${oembedPath}`,
    playerUrl: `${player.origin}/iframe_api`,
    calls: api.calls,
    playerCalls: player.calls,
    control: {
      ...toApiControl(state),
      ...toPlayerControl(playerState),
      faults: api.faults,
      playerFaults: player.faults,
    },
    close: async () => {
      await Promise.all([api.close(), player.close()])
    },
  }
}

function toPlayerControl(state: PlayerServerState): Pick<YoutubeControl, 'setBehaviour' | 'setCountry'> {
  return {
    setBehaviour: (videoId, behaviour) => {
      if (behaviour === null) state.behaviours.delete(videoId)
      else state.behaviours.set(videoId, behaviour)
    },
    setCountry: (country) => (state.country = country),
  }
}

function toApiControl(
  state: ApiServerState,
): Omit<YoutubeControl, 'faults' | 'playerFaults' | 'setBehaviour' | 'setCountry'> {
  return {
    catalogue: state.catalogue,
    setKey: (key, keyState) => {
      if (keyState === null) state.keys.delete(key)
      else state.keys.set(key, keyState)
    },
    setQuota: (limits) => (state.quota.limits = { ...state.quota.limits, ...limits }),
    quotaOf: (key) => state.quota.used(key),
    resetQuota: () => state.quota.reset(),
    setOembedMissingStatus: (status) => (state.oembedMissingStatus = status),
  }
}
