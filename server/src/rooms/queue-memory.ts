import { limits } from '@earshot/core/limits'
import type { CommandPlan, RoomCommand, RoomState } from '@earshot/core/room/room-state'
import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import {
  deletePlayed,
  deleteRemoved,
  findRemoved,
  insertPlayed,
  insertRemoved,
  listPlayed,
} from '../db/queue-memory.ts'
import type { EventBus, RoomCommit } from '../events.ts'
import { newSortableId } from '../ids.ts'

/**
 * Records what rooms have played and which entries were removed from their queues, and derives from it the commands
 * that go back to a track or put an entry back.
 */

export interface QueueMemoryParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
}

export function startQueueMemory({ db, clock, logger, events }: QueueMemoryParts): void {
  events.on('tracksChanged', async (commit) => {
    try {
      for (const command of commit.commands) await record({ db, clock }, command, commit)
    } catch (error) {
      const message = 'Could not record a played track or a removed entry; it is missing from the history'
      logger.error({ err: error, roomId: commit.roomId }, message)
    }
  })
}

/** The commands that leave a track for another one. */
const leaving: ReadonlySet<RoomCommand['type']> = new Set(['next', 'track_ended', 'select_track'])

type Parts = Pick<QueueMemoryParts, 'db' | 'clock'>

async function record(parts: Parts, command: RoomCommand, { roomId, outcome }: RoomCommit): Promise<void> {
  const { changes, before, queueParts } = outcome
  if (changes.includes('track') && leaving.has(command.type)) await recordPlayed(parts, roomId, before)
  if (changes.includes('track') && command.type === 'previous') {
    await forgetCurrent(parts.db, roomId, outcome.state)
  }
  if (!queueParts) return
  if (command.type === 'restore_entry') await deleteRemoved(parts.db, command.entry.entry_id)
  if (command.type === 'remove_entry') await recordRemoved(parts, command.entryId, before)
}

/** A track that was left before it sounded was not played. */
async function recordPlayed({ db, clock }: Parts, roomId: string, before: RoomState): Promise<void> {
  const { track, timeline, trackAddedBy } = before
  if (!track || !(timeline.isPlaying || timeline.positionMs > 0)) return
  const played_at = Math.round(clock.now())
  const row = { id: newSortableId(played_at), room_id: roomId, track_id: track.id, played_at }
  await insertPlayed(db, { ...row, added_by: trackAddedBy?.id ?? null }, limits.historyMaxLength)
}

/** A track that is current again is played later than those before it. */
async function forgetCurrent(db: Db, roomId: string, { timeline }: RoomState): Promise<void> {
  const [last] = await listPlayed(db, roomId, { beforeId: null, limit: 1 })
  if (last && last.track.id === timeline.trackId) await deletePlayed(db, last.id)
}

async function recordRemoved({ db, clock }: Parts, entryId: string, before: RoomState): Promise<void> {
  const removed = before.queue.find((entry) => entry.entry_id === entryId)
  if (!removed) return
  const { entry_id, id: track_id, position, added_by } = removed
  const removed_at = Math.round(clock.now())
  const row = { entry_id, room_id: before.id, track_id, position, added_by, removed_at }
  await insertRemoved(db, row, removed_at - limits.restoreWindowMs)
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
  return (state, nowMs) =>
    (typeof command === 'function' ? command(state, nowMs) : [command]).map((each) =>
      each.type === 'previous' ? { ...each, back } : each,
    )
}

/** Resolves to the command that puts a removed entry back; null if it was not removed lately. */
export async function planRestore(db: Db, roomId: string, entryId: string): Promise<RoomCommand | null> {
  const removed = await findRemoved(db, roomId, entryId)
  return removed && { type: 'restore_entry', ...removed }
}
