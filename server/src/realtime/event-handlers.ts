import type { ClientEventName } from '@earshot/core/protocol/socket-events'
import type { Histogram } from 'prom-client'
import type { EventBus } from '../events.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { SyncChanges } from '../sync-reports/sync-changes.ts'
import type { BoundEvent } from './bind-event.ts'
import { chatEvents } from './chat-events.ts'
import { membershipEvents } from './membership-events.ts'
import { playabilityEvents } from './playability-events.ts'
import { playbackEvents } from './playback-events.ts'
import { queueEvents } from './queue-events.ts'
import type { RedisLink } from './redis-link.ts'
import { syncEvents } from './sync-events.ts'

interface EventHandlersParts {
  rooms: Rooms
  events: EventBus
  syncErrorSeconds: Histogram
  syncChanges: SyncChanges
  /** Null where the server is one process. */
  redis: RedisLink | null
}

/** Creates the handlers of all events that clients send, by wire name. */
export function createEventHandlers(parts: EventHandlersParts): ReadonlyMap<string, BoundEvent> {
  const { rooms, events: bus, redis, syncErrorSeconds, syncChanges } = parts
  const events = {
    ...playbackEvents(rooms),
    ...queueEvents(rooms),
    ...chatEvents(rooms),
    ...membershipEvents({ ...rooms, redis, syncChanges }),
    ...syncEvents({ ...rooms, syncErrorSeconds }),
    ...playabilityEvents({ ...rooms, events: bus }),
  } satisfies Record<ClientEventName, BoundEvent>
  return new Map(Object.entries(events))
}
