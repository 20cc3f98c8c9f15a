import { limits } from '@earshot/core/limits'
import type { ServerClock } from '../realtime/server-clock.ts'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { wallNow } from '../realtime/wall-clock.ts'
import { addPending, removePending } from './state/optimistic.ts'
import { applyPlayback } from './state/server-updates.ts'
import type { PendingCommand } from './state/room-session-data.ts'
import { update, type RoomStore } from './state/room-store.ts'

export interface RoomLink {
  roomId: string
  store: RoomStore
  connection: ServerCalls
  clock: Pick<ServerClock, 'serverNow' | 'serverTimeOf' | 'estimate'>
  /** When this page last told the room how to play, on the client's clock; null where it never did. */
  broadcastAtMs: number | null
}

export type OwnerCommand =
  { command: 'play' | 'pause' | 'next' | 'previous' } | { command: 'seek'; positionMs: number }

/**
 * Gives a command of the owner: drawn at once, taken back where the server refuses it or does not answer. It carries
 * an id and is repeated once where the acknowledgement is missing (7.20b); the server applies it once. Rejects with
 * an AppError.
 */
export async function giveCommand(link: RoomLink, command: OwnerCommand): Promise<void> {
  const { roomId, store, connection, clock } = link
  const { timeline } = store.getState().confirmed
  const atServerMs = clock.serverNow()
  const pending: PendingCommand = {
    ...command,
    id: createCommandId(),
    basedOn: timeline.sequenceNumber,
    atServerMs,
  }
  const payload = {
    roomId,
    command: command.command,
    position: command.command === 'seek' ? command.positionMs : undefined,
    timestamp: atServerMs,
    priority: 'high',
    forceSync: true,
    commandId: pending.id,
  }
  update(store, (data) => addPending(data, pending))
  link.broadcastAtMs = wallNow()
  try {
    const { state } = await connection.call('direct_command', payload, {
      repeat: { afterMs: limits.repeatCommandMs, payload: { ...payload, isFollowUp: true } },
    })
    update(store, (data) => applyPlayback(data, state))
  } finally {
    update(store, (data) => removePending(data, pending.id))
  }
}

/** Unlike `randomUUID`, there on plain http too. */
function createCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
