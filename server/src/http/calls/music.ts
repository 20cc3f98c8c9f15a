import type { Source } from '@earshot/core/protocol/entities'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { CoverArt } from '../../library/cover-art.ts'
import type { LibraryProvider } from '../../library/library-provider.ts'
import type { TrackProvider } from '../../providers/provider.ts'
import { registerAudioRoutes } from './media.ts'
import { registerLibraryRoutes } from './library.ts'
import { registerSourceRoutes } from './sources.ts'
import { registerTrackRoutes } from './tracks.ts'

export interface MusicParts {
  db: Db
  musicDir: string
  coverArt: CoverArt
  library: LibraryProvider
  providers: ReadonlyMap<Source, TrackProvider>
}

/** Registers all calls about tracks: search, the library, sources, audio and covers. */
export function registerMusic(server: FastifyInstance, parts: MusicParts): void {
  registerTrackRoutes(server, parts)
  registerLibraryRoutes(server, parts)
  registerSourceRoutes(server, parts)
  registerAudioRoutes(server, parts)
}
