import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { RoomCommit } from '../../events.ts'
import type { Happening } from './activity-batch.ts'

const adding: ReadonlySet<string> = new Set(['add_track', 'add_tracks', 'arrange_queue', 'restore_entry'])
const removing: ReadonlySet<string> = new Set(['remove_entry', 'clear_queue'])
const skipping: ReadonlySet<string> = new Set(['next', 'select_track'])
const moving: ReadonlySet<string> = new Set(['arrange_queue', 'move_entry'])

/** Returns what a user did to the queue and the current track of a room, by comparing the room before and after. */
export function describeCommit({ commands, actor, outcome }: RoomCommit): Happening[] {
  if (actor.kind !== 'user') return []
  const { before, state: after } = outcome
  const did = (types: ReadonlySet<string>): boolean => commands.some(({ type }) => types.has(type))
  const happenings: Happening[] = []
  const add = (kind: Happening['kind'], tracks: readonly { title: string }[]): void => {
    if (tracks.length === 0) return
    happenings.push({ kind, userId: actor.id, title: tracks[0]?.title, count: tracks.length })
  }
  if (did(adding)) {
    const isFirst = before.track === null && after.track !== null && !wasQueued(before.queue, after.track.id)
    add('added', [...(isFirst && after.track ? [after.track] : []), ...without(after.queue, before.queue)])
  }
  if (did(removing)) add('removed', without(before.queue, after.queue))
  if (did(skipping) && outcome.changes.includes('track') && before.track) add('skipped', [before.track])
  if (did(moving)) add('played_next', movedToFront(before.queue, after.queue))
  return happenings
}

const wasQueued = (queue: readonly QueueEntry[], trackId: string): boolean =>
  queue.some(({ id }) => id === trackId)

function without(queue: readonly QueueEntry[], other: readonly QueueEntry[]): QueueEntry[] {
  const ids = new Set(other.map(({ entry_id }) => entry_id))
  return queue.filter(({ entry_id }) => !ids.has(entry_id))
}

/** Returns the entry that was moved before the first one. */
function movedToFront(before: readonly QueueEntry[], after: readonly QueueEntry[]): QueueEntry[] {
  const [first, second] = after
  const isMoved = first !== undefined && second !== undefined && second.entry_id === before[0]?.entry_id
  return isMoved && before.some(({ entry_id }) => entry_id === first.entry_id) ? [first] : []
}
