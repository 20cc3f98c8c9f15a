import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { registerImportCall } from '../http/calls/import.ts'
import { registerLinkCalls } from '../http/calls/links.ts'
import { registerMatchCall } from '../http/calls/matches.ts'
import { registerSpotifyCalls, registerYoutubeCalls } from '../http/calls/provider-accounts.ts'
import type { TrackProvider } from '../providers/provider.ts'
import { createSpotify } from '../providers/spotify/spotify.ts'
import { openYoutube } from '../providers/youtube/youtube.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Base } from './base.ts'

/** Opens the sources besides the library, and serves their calls, imports and matches. */
export function openProviders(
  base: Base,
  server: FastifyInstance,
  { secret, origin, rooms }: { secret: string; origin: () => string; rooms: Rooms },
): TrackProvider[] {
  const { env, db, clock, logger, redisCommands, closers } = base
  const { limiters } = rooms
  const spotify = createSpotify({ env, db, clock, logger, secret, redis: redisCommands, origin })
  const youtube = openYoutube({ env, db, clock, logger, secret })
  closers.push(youtube.startRefresh())
  const providers = [spotify.provider, youtube.provider]
  logMissingSettings(providers, logger).catch((error: unknown) =>
    logger.warn(
      { err: error },
      'Could not log which sources lack settings; they are offered as far as they are set up',
    ),
  )
  registerSpotifyCalls(server, spotify, redisCommands)
  registerYoutubeCalls(server, { connections: youtube.connections, limiters })
  registerLinkCalls(server, { db, providers, limiters })
  registerImportCall(server, rooms)
  registerMatchCall(server, rooms)
  return providers
}

/** Tells the operator why a source is not offered; visitors cannot change it. */
async function logMissingSettings(providers: TrackProvider[], logger: Logger): Promise<void> {
  for (const provider of providers) {
    const { source, available, reason } = await provider.status(null)
    if (!available && reason !== null) logger.info({ source }, `${reason} Until then it is not offered`)
  }
}
