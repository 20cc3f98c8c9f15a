import { limits } from '@earshot/core/limits'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { hasCode } from '@earshot/core/protocol/errors'
import type { QueueCommand } from '@earshot/core/protocol/queue-calls'
import type { ClientAck } from '@earshot/core/protocol/socket-events'
import { callApiRetrying } from '../api/call-api.ts'
import { callTimeoutMs } from '../api/timed-fetch.ts'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { randomId } from './random-id.ts'
import type { PendingQueueEdit } from './state/optimistic.ts'
import { whilePending } from './state/pending-commands.ts'
import { isOwnedByViewer, type RoomStore, viewRoom } from './state/room-state.ts'

/** The edits of the queue. Each is drawn at once and taken back on failure; all reject with an AppError. */

interface QueueContext {
  readonly roomId: string
  readonly store: RoomStore
  readonly connection: ServerCalls
}

/** The entries that the viewer cleared. */
interface ClearedQueue {
  /** Of the command. */
  id: string
  /** As they were drawn. */
  entries: readonly QueueEntry[]
}

export interface QueueActions {
  addTrack: (track: Track) => Promise<void>
  /** An entry that is gone counts as removed. */
  removeEntry: (entryId: string) => Promise<void>
  /** Puts an entry back where it was removed. */
  restoreEntry: (entry: QueueEntry) => Promise<void>
  /** Moves an entry to an index; 0 plays next. */
  moveEntry: (entryId: string, index: number) => Promise<void>
  /** Orders these entries so; others, which were added meanwhile, follow. Removes nothing. */
  arrangeQueue: (entries: readonly QueueEntry[]) => Promise<void>
  /** Removes all entries for the owner, and the viewer's own for any other member. Resolves to what can be put back. */
  clearQueue: () => Promise<ClearedQueue>
  /** Puts back what was cleared. Resolves to how many of its entries did not fit. */
  restoreCleared: (cleared: ClearedQueue) => Promise<number>
  /** Makes an entry current and starts it. */
  playEntry: (entryId: string) => Promise<void>
}

/** @param unlock makes the browser allow sound; called within the click that may start the music */
export function createQueueActions(room: QueueContext, unlock: () => void): QueueActions {
  return {
    addTrack: (track) => addTrack(room, track, unlock),
    removeEntry: (entryId) => removeEntry(room, entryId),
    async restoreEntry(entry) {
      await edit(room, { command: 'restore', entries: [entry] }, { type: 'restore', entryId: entry.entry_id })
    },
    async moveEntry(entryId, index) {
      await edit(room, { command: 'move', entryId, index }, { type: 'move', entryId, index })
    },
    async arrangeQueue(entries) {
      const queue = entries.map(({ id, entry_id }) => ({ id, entry_id }))
      await room.connection.call('queue_updated', { roomId: room.roomId, queue })
    },
    async clearQueue() {
      const id = randomId()
      const state = room.store.getState()
      const addedBy = isOwnedByViewer(state) ? null : state.userId
      const entries = viewRoom(state).queue.filter(
        (entry) => !entry.isPending && (addedBy === null || entry.added_by === addedBy),
      )
      await edit(room, { command: 'clear', addedBy }, { type: 'clear' }, id)
      return { id, entries }
    },
    async restoreCleared({ id: clearId, entries }) {
      const command = { type: 'restore_cleared', clearId } as const
      const { omitted = 0 } = await edit(room, { command: 'restore', entries }, command)
      return omitted
    },
    async playEntry(entryId) {
      await send(room, { type: 'play', entryId }, randomId())
    },
  }
}

async function addTrack({ roomId, store }: QueueContext, track: Track, unlock: () => void): Promise<void> {
  const id = randomId()
  const add = async () => {
    const body = { trackId: track.id, commandId: id, brief: true }
    // Both attempts together take as long as any other call.
    const options = { timeoutMs: callTimeoutMs / 2 }
    await callApiRetrying('POST /api/rooms/:roomId/queue', { params: { roomId }, body }, options)
  }
  const state = store.getState()
  // Without a current track it becomes the current one instead of queueing up, and this click starts the music.
  if (viewRoom(state).track === null) {
    unlock()
    return add()
  }
  const knownEntryIds = new Set(state.confirmed.queue.map((entry) => entry.entry_id))
  await whilePending(store, { command: 'add', id, track, addedBy: state.userId, knownEntryIds }, add)
}

async function removeEntry({ roomId, store }: QueueContext, entryId: string): Promise<void> {
  await whilePending(store, { command: 'remove', id: randomId(), entryId }, async () => {
    const input = { params: { roomId, entryId }, query: { brief: 'true' as const } }
    try {
      await callApiRetrying('DELETE /api/rooms/:roomId/queue/:entryId', input)
    } catch (error) {
      if (!hasCode(error, 'queue_entry_not_found')) throw error
    }
  })
}

type UnnumberedEdit = PendingQueueEdit extends infer Edit
  ? Edit extends unknown
    ? Omit<Edit, 'id'>
    : never
  : never

async function edit(
  room: QueueContext,
  pending: UnnumberedEdit,
  command: QueueCommand,
  id = randomId(),
): Promise<ClientAck<'queue_command'>> {
  return await whilePending(room.store, { ...pending, id } as PendingQueueEdit, () => send(room, command, id))
}

/** Carries an id and is repeated once without an answer; the server applies it once. */
async function send(
  { roomId, connection }: QueueContext,
  command: QueueCommand,
  commandId: string,
): Promise<ClientAck<'queue_command'>> {
  const repeat = { afterMs: limits.repeatUnansweredMs }
  return await connection.call('queue_command', { roomId, command, commandId }, { repeat })
}
