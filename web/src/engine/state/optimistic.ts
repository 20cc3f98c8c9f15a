import { limits } from '@earshot/core/limits'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { insertAtPositions } from '@earshot/core/room/insert-at-positions'
import { renumberQueue } from '@earshot/core/room/room-state'
import { type Timeline, positionAt } from '@earshot/core/sync/timeline'

/** The viewer's commands that the server has not confirmed, and the room drawn with them. */

export type PlaybackCommand =
  | { command: 'play' | 'pause' | 'next' | 'previous' }
  | { command: 'seek'; positionMs: number }

export type PendingPlayback = PlaybackCommand & {
  id: string
  /** The server's time of the command, ms. */
  atServerMs: number
}

export type PendingQueueEdit = { id: string } & (
  | { command: 'add'; track: Track; addedBy: string; knownEntryIds: ReadonlySet<string> }
  | { command: 'remove'; entryId: string }
  | ({ command: 'move' } & QueueMove)
  | { command: 'restore'; entries: readonly QueueEntry[] }
  /** `addedBy`: only the entries of this user; null for all. */
  | { command: 'clear'; addedBy: string | null }
)

/** A command of the viewer that the server has not answered yet. */
export type PendingCommand = PendingPlayback | PendingQueueEdit

/** An entry as it is drawn. */
export interface DrawnEntry extends QueueEntry {
  /** On its way to the server. */
  isPending?: boolean
}

/** Playback and queue as they are drawn: confirmed by the server, with the viewer's pending commands applied. */
export interface DrawnRoom {
  timeline: Timeline
  track: Track | null
  queue: readonly DrawnEntry[]
}

const trackIds = new WeakMap<readonly QueueEntry[], ReadonlySet<string>>()

/** Returns the ids of the tracks in a queue; the same queue gives the same set. */
export function queuedTrackIds(queue: readonly QueueEntry[]): ReadonlySet<string> {
  const known = trackIds.get(queue)
  if (known) return known
  const ids = new Set(queue.map((entry) => entry.id))
  trackIds.set(queue, ids)
  return ids
}

/** Predicts the room after the server has carried out the command. */
export function predict(room: DrawnRoom, command: PendingCommand): DrawnRoom {
  switch (command.command) {
    case 'add':
    case 'remove':
    case 'move':
    case 'clear':
    case 'restore':
      return { ...room, queue: editQueue(room.queue, command) }
    case 'next':
      return predictNext(room, command)
    default:
      return { ...room, timeline: { ...room.timeline, ...moveTimeline(room.timeline, command) } }
  }
}

function moveTimeline(timeline: Timeline, command: PendingPlayback): Partial<Timeline> {
  const { atServerMs } = command
  const startsAtMs = atServerMs + limits.leadMinMs
  switch (command.command) {
    case 'play':
      return timeline.isCueing ? {} : { isPlaying: true, atServerMs: startsAtMs }
    case 'pause':
      return { isPlaying: false, isCueing: false, positionMs: positionAt(timeline, atServerMs), atServerMs }
    case 'seek':
      return { positionMs: command.positionMs, atServerMs: startsAtMs }
    case 'previous':
      return { positionMs: 0, atServerMs: startsAtMs }
    case 'next':
      return {}
  }
}

/** The first entry becomes the track, cued and waiting where the room was playing (4.13). */
function predictNext(room: DrawnRoom, { atServerMs }: PendingPlayback): DrawnRoom {
  const track = room.queue.find((entry) => !entry.isPending)
  if (!track) return room
  return {
    track,
    queue: renumberQueue(room.queue.filter((entry) => entry !== track)),
    timeline: {
      ...room.timeline,
      trackId: track.id,
      source: track.source,
      durationMs: knownDurationMs(track),
      isPlaying: false,
      isCueing: room.timeline.isPlaying || room.timeline.isCueing,
      positionMs: 0,
      atServerMs,
    },
  }
}

/** Predicts the queue after an edit. Entries that keep their position keep their identity. */
function editQueue(queue: readonly DrawnEntry[], edit: PendingQueueEdit): readonly DrawnEntry[] {
  switch (edit.command) {
    case 'add': {
      const { track, id, addedBy } = edit
      const entry = { ...track, entry_id: id, position: queue.length, added_by: addedBy, isPending: true }
      return [...queue, entry]
    }
    case 'remove':
      return renumberQueue(queue.filter((entry) => entry.entry_id !== edit.entryId))
    case 'move':
      return moveInQueue(queue, edit)
    case 'restore': {
      const queued = new Set(queue.map((entry) => entry.entry_id))
      const missing = edit.entries.filter((entry) => !queued.has(entry.entry_id))
      return missing.length === 0 ? queue : insertAtPositions(queue, missing)
    }
    case 'clear':
      return edit.addedBy === null
        ? []
        : renumberQueue(queue.filter((entry) => entry.added_by !== edit.addedBy))
  }
}

/** Where an entry of the queue is moved to. */
export interface QueueMove {
  entryId: string
  index: number
}

export function moveInQueue(
  queue: readonly DrawnEntry[],
  { entryId, index }: QueueMove,
): readonly DrawnEntry[] {
  const moved = queue.find((entry) => entry.entry_id === entryId)
  if (!moved) return queue
  return renumberQueue(queue.filter((entry) => entry !== moved).toSpliced(index, 0, moved))
}
