import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { EventBus } from '../events.ts'
import type { Playability } from '../sync-reports/playability.ts'
import type { RoomServer } from './room-sockets.ts'
import { bindEvent } from './bind-event.ts'
import { channelOf } from './room-channels.ts'

/** Receives the members' reports of which tracks they cannot play. */
export function playabilityEvents({ playability, events }: { playability: Playability; events: EventBus }) {
  return {
    playability_report: bindEvent('playability_report', {
      rate: 'command',
      handle: async ({ roomId, unplayable }, call) => {
        const trackIds = unplayable.map(({ trackId }) => trackId)
        await events.emit('tracksUnplayable', { roomId, userId: call.user.id, unplayable, isRemote: false })
        return { unplayable: playability.report(roomId, call.user.id, trackIds) }
      },
    }),
  }
}

const everyMs = 1_000

/**
 * Sends each room how many members cannot play its tracks, when that changed. Every process serves its own sockets.
 * Returns a function that stops it and resolves when no run is under way.
 */
export function startPlayabilityBroadcast(parts: {
  io: RoomServer
  clock: Clock
  logger: Logger
  events: EventBus
  playability: Playability
}): () => Promise<void> {
  const { io, clock, logger, events, playability } = parts
  events.on('memberDropped', ({ roomId }) => playability.recount(roomId))

  const sendAll = async (): Promise<void> => {
    for await (const changed of playability.collect()) {
      io.local.to(channelOf(changed.roomId)).emit('playability', changed)
    }
  }
  return repeat(clock, { firstMs: everyMs, everyMs }, sendAll, (error) =>
    logger.error(
      { err: error },
      `Could not count the members who can play a track; retrying in ${everyMs / 1_000} s`,
    ),
  )
}

/** Returns the users with a socket of this process in a room. */
export function connectedUsers(io: RoomServer, roomId: string): ReadonlySet<string> {
  const socketIds = [...(io.sockets.adapter.rooms.get(channelOf(roomId)) ?? [])]
  return new Set(socketIds.flatMap((id) => io.sockets.sockets.get(id)?.data.session.user.id ?? []))
}
