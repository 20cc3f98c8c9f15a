import { pause, play } from './playback.ts'
import { diskLookAt } from './due.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'

/** A room that waits, paused, for the disk of its current track. */

/** Pauses a room for its disk. One that waits already waits until the next look. */
export function awaitDisk(
  state: RoomState,
  { lookAtMs }: Extract<RoomCommand, { type: 'await_disk' }>,
  context: CommandContext,
): RoomOutcome {
  if (diskLookAt(state) !== null) return { state: withDiskWait(state, lookAtMs), changes: [] }
  const { state: paused, changes } = pause(state, context)
  if (changes.length === 0) return { state, changes }
  // Nobody did: a track that is added to the room later starts by itself.
  return { state: withDiskWait({ ...paused, isPausedByHand: false }, lookAtMs), changes }
}

/** Plays a room whose disk is back. Ignores a stale sequence number, and a room that waits no more. */
export function endDiskWait(
  state: RoomState,
  { sequenceNumber }: Extract<RoomCommand, { type: 'disk_returned' }>,
  context: CommandContext,
): RoomOutcome {
  const isCurrent = diskLookAt(state) !== null && state.timeline.sequenceNumber === sequenceNumber
  return isCurrent ? play(state, context) : { state, changes: [] }
}

function withDiskWait(state: RoomState, lookAtMs: number): RoomState {
  return { ...state, diskWait: { sequenceNumber: state.timeline.sequenceNumber, lookAtMs } }
}
