import type { PendingCommand } from './optimistic.ts'
import { type RoomState, type RoomStore, update } from './room-state.ts'

/** Adds a command that is drawn at once and not confirmed yet. */
export function addPending(state: RoomState, command: PendingCommand): RoomState {
  return { ...state, pending: [...state.pending, command] }
}

/** Removes a command that is confirmed, refused or unanswered. The others are drawn on what is confirmed by then. */
export function removePending(state: RoomState, id: string): RoomState {
  if (state.pending.every((command) => command.id !== id)) return state
  return { ...state, pending: state.pending.filter((command) => command.id !== id) }
}

/** Draws a command as if it were carried out until the server has answered. */
export async function whilePending<Answer>(
  store: RoomStore,
  pending: PendingCommand,
  sendCommand: () => Promise<Answer>,
): Promise<Answer> {
  update(store, (state) => addPending(state, pending))
  try {
    return await sendCommand()
  } finally {
    update(store, (state) => removePending(state, pending.id))
  }
}
