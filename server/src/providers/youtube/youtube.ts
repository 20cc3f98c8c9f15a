import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { createTextSealer } from '../../crypto/text-sealer.ts'
import type { Db } from '../../db/database.ts'
import type { Env } from '../../env/env.ts'
import type { TrackProvider } from '../provider.ts'
import { startDataRefresh } from './data-refresh.ts'
import { createSearchQuotas } from './search-quota.ts'
import { createVideoSearch } from './video-search.ts'
import { createVideoStore } from './video-store.ts'
import { createYoutubeApi } from './youtube-api.ts'
import { type YoutubeConnections, createYoutubeConnections } from './account/youtube-connections.ts'
import { createYoutubeKeys } from './account/youtube-keys.ts'
import { createYoutubeProvider } from './youtube-provider.ts'

interface Youtube {
  provider: TrackProvider
  connections: YoutubeConnections
  /** Starts to refresh stored data. Returns a function that stops it and resolves when no run is under way. */
  startRefresh(): () => Promise<void>
}

interface YoutubeParts {
  db: Db
  clock: Clock
  logger: Logger
  secret: string
  env: Pick<Env, 'youtube' | 'previousSecrets'>
}

/** Builds the server's side of YouTube. */
export function openYoutube({ db, clock, logger, secret, env }: YoutubeParts): Youtube {
  const api = createYoutubeApi(env.youtube)
  const { previousSecrets } = env
  const sealer = createTextSealer({ secret, previousSecrets, purpose: 'youtube-keys' })
  const keys = createYoutubeKeys({ db, sealer, serverKey: env.youtube.apiKey })
  const quotas = createSearchQuotas(db, clock)
  const videos = createVideoStore({ db, clock, api })
  const search = createVideoSearch({ db, clock, logger, api, quotas, videos })
  return {
    provider: createYoutubeProvider({ db, clock, logger, api, keys, quotas, videos, search }),
    connections: createYoutubeConnections({ api, keys, quotas, logger }),
    startRefresh: () =>
      startDataRefresh({ db, clock, logger, api, videos, quotas, serverKey: env.youtube.apiKey }),
  }
}
