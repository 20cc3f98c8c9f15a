import { clearedUserId } from '@earshot/core/room/queue'
import {
  type Actor,
  type CommandPlan,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
  completePlan,
} from '@earshot/core/room/room-state'
import type { Db } from '../db/database.ts'
import { type HistoryChange, type Removal, findRemoved, listPlayed } from '../db/queue-history.ts'
import { newSortableId } from '../ids.ts'

/**
 * A room's history: the tracks that it has played, and the entries removed from its queue. Plans what a change adds to it, and
 * the commands that go back to a track or put entries back.
 */

/** A change of a room by commands, not stored yet. */
interface UnstoredChange {
  commands: readonly RoomCommand[]
  before: RoomState
  outcome: RoomOutcome
  actor: Actor
  nowMs: number
}

type RestoreEntries = Extract<RoomCommand, { type: 'restore_entries' }>

/** Returns what is to be stored with the change of the room. */
export function planHistory(change: UnstoredChange): HistoryChange[] {
  return change.commands.flatMap((command) => planCommand(command, change))
}

/** The commands that leave a track for another one. */
const leaving: ReadonlySet<RoomCommand['type']> = new Set([
  'next',
  'skip_by_vote',
  'track_ended',
  'start_next',
  'select_track',
])

function planCommand(command: RoomCommand, change: UnstoredChange): HistoryChange[] {
  const { before, outcome, nowMs } = change
  const { state, changes } = outcome
  const isTrackChanged = changes.includes('track')
  if (isTrackChanged && leaving.has(command.type)) return planPlayed(before, nowMs)
  if (isTrackChanged && command.type === 'previous' && state.track)
    return [{ type: 'resumed', trackId: state.track.id }]
  if (state.queue === before.queue) return []
  if (command.type === 'restore_entries') return planRestored(command)
  if (command.type === 'clear_queue') return planCleared(command, change)
  return command.type === 'remove_entry' ? planRemoved(command.entryId, before, nowMs) : []
}

/** A track that was left before it sounded was not played. */
function planPlayed({ id, track, timeline, trackAddedBy }: RoomState, nowMs: number): HistoryChange[] {
  if (!track || !(timeline.isPlaying || timeline.positionMs > 0)) return []
  const played = { id: newSortableId(nowMs), room_id: id, track_id: track.id, played_at: nowMs }
  return [{ type: 'played', row: { ...played, added_by: trackAddedBy?.id ?? null } }]
}

function planRemoved(entryId: string, { id, queue }: RoomState, nowMs: number): HistoryChange[] {
  const removed = queue.find((entry) => entry.entry_id === entryId)
  if (!removed) return []
  const { entry_id, id: track_id, position, added_by } = removed
  const row = { entry_id, room_id: id, track_id, position, added_by, removed_at: nowMs, removal_id: null }
  return [{ type: 'removed', row }]
}

function planCleared(
  { removalId }: Extract<RoomCommand, { type: 'clear_queue' }>,
  { before, actor, nowMs }: UnstoredChange,
): HistoryChange[] {
  if (removalId === undefined) return []
  return [
    { type: 'cleared', roomId: before.id, removalId, ofUser: clearedUserId(before, actor), atMs: nowMs },
  ]
}

function planRestored({ removalId, entries }: RestoreEntries): HistoryChange[] {
  if (removalId !== undefined) return [{ type: 'restored', removal: { removalId } }]
  return entries.map(({ entry_id: entryId }) => ({ type: 'restored', removal: { entryId } }))
}

/** Completes `previous` with the track that the room played before. */
export async function withPlayedBefore(
  db: Db,
  roomId: string,
  command: RoomCommand | CommandPlan,
): Promise<CommandPlan> {
  const [last] = await listPlayed(db, roomId, { beforeId: null, limit: 1 })
  const addedBy = last?.added_by ? { id: last.added_by, username: last.added_by_name } : null
  // The entry has the id of what it was played as: of two who go back at once, the second adds it no second time.
  const back = last ? { track: last.track, addedBy, entryId: last.id } : null
  return completePlan(command, (each) => (each.type === 'previous' ? { ...each, back } : each))
}

/** Resolves to the command that puts removed entries back; null if they were not removed lately. */
export async function planRestore(db: Db, roomId: string, removal: Removal): Promise<RestoreEntries | null> {
  const removed = await findRemoved(db, roomId, removal)
  const removalId = 'removalId' in removal ? removal.removalId : undefined
  return removed && { type: 'restore_entries', ...removed, removalId }
}
