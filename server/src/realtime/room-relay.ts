import type { RemovalReason } from '../events.ts'
import type { RoomServer } from './room-sockets.ts'
import { channelOf } from './room-channels.ts'
import type { RedisLink } from './redis-link.ts'

/** Events about a room between processes. */
interface RoomEvents {
  queueChanged: Record<string, never>
  userRemoved: { userId: string; reason: RemovalReason }
  roomClosed: { reason: string }
}

type RoomEventName = keyof RoomEvents

/**
 * Relays events about a room between the processes that have sockets in it, and to no other. (Socket.IO does so for
 * what goes to clients; its events between servers go to all.)
 */
export interface RoomRelay {
  send<Name extends RoomEventName>(roomId: string, name: Name, event: RoomEvents[Name]): void
  /** Registers the listener of an event that another process sent. */
  on<Name extends RoomEventName>(
    name: Name,
    listener: (roomId: string, event: RoomEvents[Name]) => void,
  ): void
}

interface Envelope {
  from: string
  roomId: string
  name: RoomEventName
  event: unknown
}

const channelPrefix = 'earshot:room-events:'

/** `redis` is null where the server is one process: nothing is relayed. */
export function createRoomRelay(io: RoomServer, redis: RedisLink | null, processId: string): RoomRelay {
  if (!redis) return { send: () => {}, on: () => {} }
  const { publisher, subscriber } = redis
  const listeners = new Map<RoomEventName, (roomId: string, event: unknown) => void>()

  const { adapter } = io.sockets
  const prefix = channelOf('')
  const toChannel = (name: string): string => channelPrefix + name.slice(prefix.length)
  adapter.on('create-room', (name: string) => {
    if (name.startsWith(prefix)) subscriber.ssubscribe(toChannel(name))
  })
  adapter.on('delete-room', (name: string) => {
    if (name.startsWith(prefix)) subscriber.sunsubscribe(toChannel(name))
  })
  subscriber.on('smessageBuffer', (channel, message) => {
    if (!channel.toString().startsWith(channelPrefix)) return
    const { from, roomId, name, event } = JSON.parse(message.toString()) as Envelope
    if (from !== processId) listeners.get(name)?.(roomId, event)
  })

  return {
    send(roomId, name, event) {
      const envelope: Envelope = { from: processId, roomId, name, event }
      void publisher.spublish(channelPrefix + roomId, JSON.stringify(envelope))
    },
    on(name, listener) {
      listeners.set(name, listener as (roomId: string, event: unknown) => void)
    },
  }
}
