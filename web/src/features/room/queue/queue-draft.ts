import type { QueueEntry, Track } from '@earshot/core/protocol/entities'

/** What the viewer just did to the queue and the server has not confirmed yet. */
export type QueueEdit =
  | { type: 'add'; track: Track; draftId: string; addedBy: string; knownEntryIds: ReadonlySet<string> }
  | { type: 'remove'; entryId: string }

/** An entry as it is drawn; a pending one is on its way to the server. */
export interface DrawnEntry extends QueueEntry {
  isPending: boolean
}

/**
 * The queue as it will be when the server has taken the edits. An added track whose entry has arrived already,
 * because the broadcast overtook the answer, is not drawn twice.
 */
export function applyEdits(queue: readonly QueueEntry[], edits: readonly QueueEdit[]): DrawnEntry[] {
  const drawn: DrawnEntry[] = queue.map((entry) => ({ ...entry, isPending: false }))
  return edits.reduce(applyEdit, drawn).map((entry, position) => ({ ...entry, position }))
}

function applyEdit(queue: DrawnEntry[], edit: QueueEdit): DrawnEntry[] {
  if (edit.type === 'remove') return queue.filter((entry) => entry.entry_id !== edit.entryId)
  const { track, draftId, addedBy, knownEntryIds } = edit
  if (queue.some((entry) => entry.id === track.id && !knownEntryIds.has(entry.entry_id))) return queue
  const entry = { ...track, entry_id: draftId, position: queue.length, added_by: addedBy, isPending: true }
  return [...queue, entry]
}
