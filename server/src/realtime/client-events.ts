import { limits } from '@earshot/core/limits'
import type { ClientEventName } from '@earshot/core/protocol/socket-events'
import type { Histogram } from 'prom-client'
import type { EventBus } from '../events.ts'
import { createRateLimiter } from '../limits/rate-limits.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { SyncChanges } from '../sync-reports/sync-changes.ts'
import { type BoundEvent, bindEvent } from './client-event.ts'
import { membershipEvents } from './membership-events.ts'
import { playabilityEvents } from './playability-events.ts'
import { playbackEvents } from './playback-events.ts'
import { queueEvents } from './queue-events.ts'
import type { RedisLink } from './redis-link.ts'
import { syncEvents } from './sync-events.ts'

export interface ClientEventsParts {
  rooms: Rooms
  events: EventBus
  syncErrorSeconds: Histogram
  syncChanges: SyncChanges
  /** Null where the server is one process. */
  redis: RedisLink | null
}

/** Creates the handlers of all events that clients send, by wire name. */
export function createClientEvents(parts: ClientEventsParts): ReadonlyMap<string, BoundEvent> {
  const { rooms, events: bus, redis, syncErrorSeconds, syncChanges } = parts
  const reports = createRateLimiter('position-report', {
    points: limits.positionReportsPerSecond,
    perMs: 1_000,
  })
  const events = {
    ...playbackEvents({ ...rooms, reports }),
    ...queueEvents(rooms),
    ...chatEvents(rooms),
    ...membershipEvents({ ...rooms, redis, syncChanges }),
    ...syncEvents({ ...rooms, syncErrorSeconds }),
    ...playabilityEvents({ ...rooms, events: bus }),
  } satisfies Record<ClientEventName, BoundEvent>
  return new Map(Object.entries(events))
}

/** Messages and reactions. */
function chatEvents({ chat }: Pick<Rooms, 'chat'>) {
  return {
    send_message: bindEvent('send_message', {
      rate: 'chat',
      handle: async ({ roomId, message, clientMessageId }, call) => {
        await call.requireMember(roomId)
        const content = typeof message === 'string' ? message : message.content
        return { message: await chat.send({ roomId, author: call.user, content, clientMessageId }) }
      },
    }),
    reaction: bindEvent('reaction', {
      rate: 'reaction',
      handle: async ({ roomId, kind }, call) => {
        await call.requireMember(roomId)
        chat.reactions.add(roomId, kind)
        return {}
      },
    }),
  }
}
