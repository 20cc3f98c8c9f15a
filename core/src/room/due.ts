import { endsAt } from '../sync/timeline.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

/** When a room changes by itself next, and by which command. */

/**
 * Returns the server time in ms of the room's next automatic change of playback (a cue's deadline, a track's end), or
 * null.
 */
export function dueAt(state: RoomState): number | null {
  if (state.cue) return state.cue.deadlineAtMs
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

/** Returns the server time in ms at which the disk that the room waits for is looked for next; null if it waits for none. */
export function diskLookAt({ diskWait, timeline, isPausedByHand }: RoomState): number | null {
  if (diskWait?.sequenceNumber !== timeline.sequenceNumber || isPausedByHand) return null
  return diskWait.lookAtMs
}

/**
 * Returns the server time in ms at which the server acts in the room next: on its playback, on who has the controls, or
 * on a disk that it waits for.
 */
export function nextDueAt(state: RoomState): number | null {
  const handOverAtMs = state.ownerAbsence?.handOverAtMs ?? null
  const due = [dueAt(state), handOverAtMs, diskLookAt(state)].filter((atMs) => atMs !== null)
  return due.length === 0 ? null : Math.min(...due)
}
