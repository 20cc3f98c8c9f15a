import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { initialClock, estimateClock } from '@earshot/core/sync/clock/clock-offset'
import type { ServerCalls } from '../../realtime/server-connection.ts'
import type { RoomParts } from '../room-actions.ts'
import { createRoomStore, viewRoom } from '../state/room-state.ts'
import { applySnapshot } from '../state/server-updates.ts'
import { emptyRoom, makeSnapshot } from './room-fixtures.ts'

interface Call {
  event: ClientEventName
  payload: unknown
  options: unknown
  resolve: (data: unknown) => void
  reject: (error: Error) => void
}

/** A room whose server answers are given by the test. */
export function joinRoom() {
  const calls: Call[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: <Name extends ClientEventName>(event: Name, payload: unknown, options: unknown) =>
      new Promise<ClientAck<Name>>((resolve, reject) => {
        calls.push({ event, payload, options, resolve: resolve as Call['resolve'], reject })
      }),
  }
  const store = createRoomStore(applySnapshot(emptyRoom(), makeSnapshot()))
  const clock = {
    serverNow: () => 5_000,
    serverTimeOf: (clientMs: number) => clientMs,
    estimate: () => estimateClock(initialClock, 0),
  }
  const room: RoomParts = { roomId: 'room', store, connection, clock, lastSentAtMs: null }
  return { calls, store, room, view: () => viewRoom(store.getState()) }
}
