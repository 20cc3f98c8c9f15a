import { endsAt } from '../sync/timeline.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

/** When a room changes by itself next, and by which command. */

/** Returns the server time in ms of the room's next automatic change of playback (a cue's deadline, a track's end), or null. */
export function dueAt(state: RoomState): number | null {
  if (state.cue?.startWhenReady) return state.cue.deadlineAtMs
  return endsAt(state.timeline)
}

/**
 * Returns the command that is due, or null. It carries the current sequence number, so that when several servers issue
 * it, only the first has an effect.
 */
export function dueCommand(
  state: RoomState,
  nowMs: number,
  { isRoomEmpty = false }: { isRoomEmpty?: boolean } = {},
): RoomCommand | null {
  const due = dueAt(state)
  if (due === null || due > nowMs) return null
  const { sequenceNumber } = state.timeline
  if (state.cue) return { type: 'start_cued', sequenceNumber }
  return { type: 'track_ended', sequenceNumber, ...(isRoomEmpty ? { isRoomEmpty } : {}) }
}

/** Returns the server time in ms at which the room changes by itself next: its playback, or who has the controls. */
export function nextDueAt(state: RoomState): number | null {
  const due = [dueAt(state), state.ownerAbsence?.handOverAtMs ?? null].filter((atMs) => atMs !== null)
  return due.length === 0 ? null : Math.min(...due)
}
