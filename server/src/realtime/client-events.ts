import { limits } from '@earshot/core/limits'
import type { ClientEventName, ClientPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand } from '@earshot/core/room/room-state'
import type { Histogram } from 'prom-client'
import type { EventBus } from '../events.ts'
import { newId } from '../ids.ts'
import { createRateLimiter } from '../limits/rate-limits.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type TrackParts, requireTracks } from '../rooms/tracks.ts'
import { type BoundEvent, bindEvent } from './client-event.ts'
import { membershipEvents } from './membership-events.ts'
import { playabilityEvents } from './playability-events.ts'
import { playbackEvents } from './playback-events.ts'
import type { RedisLink } from './redis-link.ts'
import { syncEvents } from './sync-events.ts'

export interface ClientEventsParts {
  rooms: Rooms
  events: EventBus
  syncErrorSeconds: Histogram
  /** Null where the server is one process. */
  redis: RedisLink | null
}

/** Creates the handlers of all events that clients send, by wire name. */
export function createClientEvents(parts: ClientEventsParts): ReadonlyMap<string, BoundEvent> {
  const { rooms, events: bus, redis, syncErrorSeconds } = parts
  const reports = createRateLimiter('position-report', {
    points: limits.positionReportsPerSecond,
    perMs: 1_000,
  })
  const events = {
    ...playbackEvents({ ...rooms, reports }),
    ...queueEvents(rooms),
    ...chatEvents(rooms),
    ...membershipEvents({ ...rooms, redis }),
    ...syncEvents({ ...rooms, syncErrorSeconds }),
    ...playabilityEvents({ ...rooms, events: bus }),
  } satisfies Record<ClientEventName, BoundEvent>
  return new Map(Object.entries(events))
}

function queueEvents({ db, libraryRule, runtime }: Rooms) {
  return {
    queue_updated: bindEvent('queue_updated', {
      rate: 'queue',
      isBulky: true,
      handle: async ({ roomId, queue }, call) => {
        await call.requireMember(roomId)
        const command = await toArrangement({ db, libraryRule }, queue, call.user.id)
        const actor = { kind: 'user', id: call.user.id, isMember: true } as const
        const { state } = await runtime.runCommand(roomId, command, actor)
        return { queue: state.queue }
      },
    }),
  }
}

/** Entries with an id define the order; tracks without one are added. */
async function toArrangement(
  parts: TrackParts,
  queue: ClientPayload<'queue_updated'>['queue'],
  addedBy: string,
): Promise<RoomCommand> {
  const order = queue.flatMap((entry) => entry.entry_id ?? [])
  const trackIds = queue.flatMap((entry) => (entry.entry_id === undefined ? entry.id : []))
  const tracks = await requireTracks(parts, trackIds, addedBy)
  const added = tracks.map((track) => ({ track, entryId: newId() }))
  return { type: 'arrange_queue', order, added, addedBy }
}

function chatEvents({ chat }: Rooms) {
  return {
    send_message: bindEvent('send_message', {
      rate: 'chat',
      handle: async ({ roomId, message }, call) => {
        await call.requireMember(roomId)
        const content = typeof message === 'string' ? message : message.content
        return { message: await chat.send(roomId, call.user.id, content) }
      },
    }),
  }
}
