import { endsAt } from '../sync/timeline.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

/** The server time in ms at which the room needs the server next - a cue's deadline, a track's end - or null. */
export function dueAt(state: RoomState): number | null {
  if (state.cue?.startWhenReady) return state.cue.deadlineAtMs
  return endsAt(state.timeline)
}

/**
 * What the server does now, or null while nothing is due. The command carries the sequence number it was made for, so
 * that of several servers with the same idea the first one acts and the others change nothing.
 */
export function dueCommand(state: RoomState, nowMs: number): RoomCommand | null {
  const due = dueAt(state)
  if (due === null || due > nowMs) return null
  const { sequenceNumber } = state.timeline
  return { type: state.cue ? 'start_cued' : 'track_ended', sequenceNumber }
}
