import type { ServerEventName, ServerPayload } from '@earshot/core/protocol/socket-events'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { shareEncoding } from './wire/shared-payloads.ts'

type Emitter = Pick<RoomSocket, 'emit'>

/** An event for one channel of a room. */
export interface RoomEvent {
  channel: string
  emit(to: Emitter): void
}

/** The sender's copy and that of the others are encoded once. */
export function toRoomEvent<Name extends ServerEventName>(
  channel: string,
  name: Name,
  payload: ServerPayload<Name>,
): RoomEvent {
  const shared = shareEncoding(payload)
  return { channel, emit: (to) => void to.emit(name, ...([shared] as never)) }
}

/**
 * Sends the events of a room's changes, all in the given order: to the connection whose command caused them at once,
 * and to all others after its acknowledgement, which therefore does not wait for a thousand writes.
 */
interface SenderFirst {
  /** `sender` waits for an acknowledgement, which follows in this turn; null: everybody gets the events at once. */
  send(roomId: string, events: RoomEvent[], sender: RoomSocket | null): void
}

export function createSenderFirst(io: RoomServer): SenderFirst {
  /** By room: sends what was held back for an acknowledgement. */
  const heldBack = new Map<string, () => void>()
  const release = (roomId: string): void => {
    const sendToOthers = heldBack.get(roomId)
    heldBack.delete(roomId)
    sendToOthers?.()
  }

  return {
    send(roomId, events, sender) {
      release(roomId)
      if (!sender) {
        for (const event of events) event.emit(io.to(event.channel))
        return
      }
      // As a broadcast to it alone, which waits for the acknowledgement: both are one write.
      const toSender = io.local.to(sender.id)
      for (const event of events) if (sender.rooms.has(event.channel)) event.emit(toSender)
      const sendToOthers = (): void => {
        for (const event of events) event.emit(io.to(event.channel).except(sender.id))
      }
      heldBack.set(roomId, sendToOthers)
      setImmediate(() => {
        if (heldBack.get(roomId) === sendToOthers) release(roomId)
      })
    },
  }
}
