import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import type { Env } from '../../env.ts'
import { createCoverArt } from '../../library/cover-art.ts'
import { createLibraryProvider } from '../../library/library-provider.ts'
import { createMusicLibrary, type MusicLibrary } from '../../library/music-library.ts'
import { createPlannedProviders } from '../../providers/planned-providers.ts'
import { registerAudioRoutes } from './media.ts'
import { registerLibraryRoutes } from './library.ts'
import { registerSourceRoutes } from './sources.ts'
import { registerTrackRoutes } from './tracks.ts'

export interface MusicParts {
  env: Env
  db: Db
  clock: Clock
  logger: Logger
}

/**
 * Everything about tracks: the music library and the other sources, search, sound and covers. The library that it
 * returns is to be started when the server listens, and closed before the database is.
 */
export function registerMusic(server: FastifyInstance, { env, db, clock, logger }: MusicParts): MusicLibrary {
  const { musicDir, dataDir } = env
  const music = createMusicLibrary({ db, musicDir, clock, logger })
  const library = createLibraryProvider(db, music)
  const sources = [library, ...createPlannedProviders(env)]
  const providers = new Map(sources.map((provider) => [provider.source, provider]))
  const coverArt = createCoverArt({ musicDir, coversDir: join(dataDir, 'covers') })

  registerTrackRoutes(server, { db, providers })
  registerLibraryRoutes(server, { library })
  registerSourceRoutes(server, { providers })
  registerAudioRoutes(server, { db, musicDir, coverArt })
  return music
}
