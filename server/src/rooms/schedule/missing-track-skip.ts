import type { Clock } from '@earshot/core/clock'
import { type RoomState, serverActor } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { Db } from '../../db/database.ts'
import { listRoomsWithCurrentTrack } from '../../db/scheduled-rooms.ts'
import type { EventBus } from '../../events.ts'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import type { FileState, FindFileState } from '../../library/missing-file.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { type DiskWaits, createDiskWaits } from './disk-waits.ts'
import { logUnlessGone } from './log-unless-gone.ts'

interface MissingTrackSkipParts {
  db: Db
  logger: Logger
  events: EventBus
  runtime: RoomRuntime
  findFileState: FindFileState
  clock: Clock
  /** Whether a scan of the music folder is under way, which may find the file under another name. */
  isScanning: () => boolean
}

const concurrency = 4
/** Listeners have buffered more of a track that plays. */
const renamedWithinMs = 5_000
/** A folder of many files takes longer, as long as a scan is under way. */
const scannedWithinMs = 20_000
const recheckMs = 500

/**
 * Moves a room on when nobody can play its current track: its file is gone or cannot be read, or its provider
 * restricts it. Checked when a track becomes current, and when a member found its audio missing. A track that plays
 * may have been renamed, so its room stays for some seconds; where its disk is not mounted, the room waits for it. Returns a
 * function that stops it and resolves when no check is under way.
 */
export function startMissingTrackSkip(parts: MissingTrackSkipParts): () => Promise<void> {
  const { db, logger, events, clock } = parts
  const rechecks = createKeyedTimers(clock)
  const missed = new Map<string, MissingSince>()
  const diskWaits = createDiskWaits({
    ...parts,
    isUnmounted: async ({ track }) => track !== null && (await findState(parts, track)) === 'unmounted',
  })
  const check = async (roomId: string): Promise<void> => {
    const found = await skipIfUnavailable({ ...parts, diskWaits }, roomId, missed.get(roomId) ?? null)
    if (!found) return void missed.delete(roomId)
    missed.set(roomId, found)
    rechecks.set(roomId, clock.now() + recheckMs, () => rooms.add(roomId))
  }
  const rooms = createWorkQueue(concurrency, (roomId) =>
    check(roomId).catch((error: unknown) => {
      missed.delete(roomId)
      logUnlessGone(
        logger,
        roomId,
        'Could not check the current track; checked again at the next request',
      )(error)
    }),
  )
  // One query per track at a time, however often a client asks for its audio.
  const tracks = createWorkQueue(1, (trackId) =>
    listRoomsWithCurrentTrack(db, trackId).then(
      (roomIds) => roomIds.forEach((roomId) => rooms.add(roomId)),
      (error: unknown) =>
        logger.error(
          { err: error, trackId },
          'Could not find the rooms of a missing track; looked for again at the next request',
        ),
    ),
  )

  events.on('audioMissing', ({ trackId }) => tracks.add(trackId))
  events.on('tracksChanged', ({ roomId, outcome }) => {
    if (outcome.changes.includes('track') && outcome.state.track) rooms.add(roomId)
  })
  return async () => {
    await tracks.close()
    await rooms.close()
    // Last: a check under way may have set them.
    rechecks.close()
    await diskWaits.close()
  }
}

/** A track that plays and whose file is not where it was, since `sinceMs`. */
interface MissingSince {
  trackId: string
  sinceMs: number
}

/**
 * Skips the current track, if it is unavailable. Resolves to the track where the room waits for a scan that may find it, and
 * to null otherwise.
 */
async function skipIfUnavailable(
  parts: MissingTrackSkipParts & { diskWaits: DiskWaits },
  roomId: string,
  before: MissingSince | null,
): Promise<MissingSince | null> {
  const { db, clock } = parts
  // A disk that answers late uses up nothing of the time in which the file may be found.
  const askedAtMs = clock.now()
  const { state } = await loadRoomState(db, roomId)
  const { track, timeline } = state
  const found = track && (await findState(parts, track))
  if (!track || found === 'there') return null
  if (found === 'unmounted') {
    await parts.diskWaits.begin(state)
    return null
  }
  const missing = before?.trackId === track.id ? before : { trackId: track.id, sinceMs: clock.now() }
  const waitedMs = askedAtMs - missing.sinceMs
  if (timeline.isPlaying && !isRestricted(track) && mayBeFound(parts, waitedMs)) return missing
  await skip(parts, state, track, found === 'unreadable')
  return null
}

/** Skips a track and all unavailable ones behind it in one change. One that cannot be read stays where no other can. */
async function skip(
  parts: MissingTrackSkipParts,
  { id: roomId, queue }: RoomState,
  track: Track,
  isUnreadable: boolean,
): Promise<void> {
  const { logger, events, runtime } = parts
  const { unavailableEntryIds, isNextThere } = await findUnavailable(parts, queue)
  const isSkipped = !isUnreadable || isNextThere
  if (isUnreadable)
    logger.warn({ roomId, trackId: track.id, isSkipped }, "The current track's file cannot be read")
  if (!isSkipped) return
  const command = { type: 'skip_unavailable', trackId: track.id, unavailableEntryIds } as const
  const { changes } = await runtime.runCommand(roomId, command, serverActor)
  if (changes.length === 0) return
  const count = 1 + unavailableEntryIds.length
  const reason = track.restriction ? { reason: track.restriction } : {}
  await events.emit('trackSkipped', { roomId, title: track.title, count, ...reason })
}

/**
 * Lists the entries before the first one whose file is there. Where there is none, only those before the first that
 * cannot be read: the disk or its permissions are at fault then, and the rest of the queue is worth keeping.
 */
async function findUnavailable(
  parts: Pick<MissingTrackSkipParts, 'findFileState'>,
  queue: readonly QueueEntry[],
): Promise<{ unavailableEntryIds: string[]; isNextThere: boolean }> {
  const states: FileState[] = []
  for (const entry of queue) {
    const state = await findState(parts, entry)
    if (state === 'there' || state === 'unmounted') break
    states.push(state)
  }
  const isNextThere = states.length < queue.length
  const firstUnreadable = states.indexOf('unreadable')
  const count = isNextThere || firstUnreadable < 0 ? states.length : firstUnreadable
  return { unavailableEntryIds: queue.slice(0, count).map(({ entry_id }) => entry_id), isNextThere }
}

function mayBeFound({ isScanning }: MissingTrackSkipParts, waitedMs: number): boolean {
  return waitedMs < renamedWithinMs || (waitedMs < scannedWithinMs && isScanning())
}

const isRestricted = ({ restriction = null }: Pick<Track, 'restriction'>): boolean => restriction !== null

async function findState(
  { findFileState }: Pick<MissingTrackSkipParts, 'findFileState'>,
  track: Track | QueueEntry,
): Promise<FileState> {
  return isRestricted(track) ? 'gone' : findFileState(track)
}
