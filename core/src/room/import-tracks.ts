import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'
import { appendTracks } from './queue.ts'
import {
  startsByItself,
  type AppliedImport,
  type CommandContext,
  type RoomChange,
  type RoomCommand,
  type RoomOutcome,
  type RoomState,
} from './room-state.ts'
import { cueTrack } from './track-change.ts'
import { remainingForUser } from './waiting-limit.ts'

/** Adding several tracks in one change, such that a repeated import adds nothing twice. */

type AddTracks = Extract<RoomCommand, { type: 'add_tracks' }>

/**
 * Adds the tracks that an earlier attempt of the same import has not added, as many as fit and its user may have waiting
 * (15.14, 17.479). In a room without track and queue the first one becomes current, as in `addTrack` (4.17a).
 */
export function addTracks(state: RoomState, command: AddTracks, { nowMs }: CommandContext): RoomOutcome {
  const { importId, addedBy } = command
  const wanted = command.tracks.flatMap((track, index) =>
    track && !wasImported(state, { importId, index, nowMs })
      ? [{ track, index, entryId: toEntryId(importId, index) }]
      : [],
  )
  const isEmpty = !state.track && state.queue.length === 0
  const first = isEmpty ? wanted.slice(0, 1) : []
  const room = Math.min(limits.queueMaxLength - state.queue.length, remainingForUser(state, addedBy.id))
  const appended = wanted.slice(first.length, first.length + Math.max(0, room))
  const added = [...first, ...appended]
  if (added.length === 0) return { state, changes: [] }

  const cued = first.reduce(
    (next, { track }) => cueTrack(next, track, { startWhenReady: startsByItself(state), addedBy }, nowMs),
    state,
  )
  const changes: RoomChange[] = first.length > 0 ? ['track', 'playback'] : []
  if (appended.length > 0) changes.push('queue')
  const queue = appended.length > 0 ? appendTracks(cued.queue, appended, addedBy) : cued.queue
  const imports = rememberImport(state, command, new Set(added.map(({ index }) => index)), nowMs)
  return { state: { ...cued, queue, imports }, changes }
}

/**
 * Whether the track at `index` of an import was added: within the last hour, even if it was played or removed since;
 * later, while it is still queued.
 */
export function wasImported(
  state: RoomState,
  { importId, index, nowMs }: { importId: string; index: number; nowMs: number },
): boolean {
  const earlier = recentImports(state, nowMs).find(({ id }) => id === importId)
  if (earlier) return !earlier.notAdded.includes(index)
  const entryId = toEntryId(importId, index)
  return state.queue.some((entry) => entry.entry_id === entryId)
}

function recentImports(state: RoomState, nowMs: number): AppliedImport[] {
  return state.imports.filter(({ atMs }) => nowMs - atMs < limits.importMemoryMs)
}

function rememberImport(
  state: RoomState,
  { importId, tracks }: AddTracks,
  added: ReadonlySet<number>,
  nowMs: number,
): AppliedImport[] {
  const others = recentImports(state, nowMs).filter(({ id }) => id !== importId)
  const notAdded = tracks.flatMap((_track: Track | null, index) =>
    added.has(index) || wasImported(state, { importId, index, nowMs }) ? [] : [index],
  )
  return [...others, { id: importId, atMs: nowMs, notAdded }].slice(-limits.recentImports)
}

const toEntryId = (importId: string, index: number): string => `${importId}-${index}`
