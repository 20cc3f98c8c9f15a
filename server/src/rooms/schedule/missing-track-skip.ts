import type { Logger } from 'pino'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { Db } from '../../db/database.ts'
import { listRoomsWithCurrentTrack } from '../../db/rooms.ts'
import type { EventBus } from '../../events.ts'
import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import type { IsFileMissing } from '../../library/missing-file.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'

export interface MissingTrackSkipParts {
  db: Db
  logger: Logger
  events: EventBus
  runtime: RoomRuntime
  isFileMissing: IsFileMissing
}

const concurrency = 4

/**
 * Moves a room on when nobody can play its current track: its file is gone, or its provider restricts it. Checked
 * when a track becomes current, and when a member found its audio missing. Returns a function that stops it and
 * resolves when no check is under way.
 */
export function startMissingTrackSkip(parts: MissingTrackSkipParts): () => Promise<void> {
  const { db, logger, events } = parts
  const rooms = createWorkQueue(concurrency, (roomId) =>
    skipIfMissing(parts, roomId).catch((error: unknown) =>
      logger.error({ err: error, roomId }, 'Could not check the current track; members cannot load it'),
    ),
  )
  // One query per track at a time, however often a client asks for its audio.
  const tracks = createWorkQueue(1, (trackId) =>
    listRoomsWithCurrentTrack(db, trackId).then(
      (roomIds) => roomIds.forEach((roomId) => rooms.add(roomId)),
      (error: unknown) =>
        logger.error({ err: error, trackId }, 'Could not find the rooms of a missing track'),
    ),
  )

  events.on('audioMissing', ({ trackId }) => tracks.add(trackId))
  events.on('roomCommitted', ({ roomId, outcome }) => {
    if (outcome.changes.includes('track') && outcome.state.track) rooms.add(roomId)
  })
  return async () => {
    await tracks.close()
    await rooms.close()
  }
}

/** Skips the missing track and all missing ones behind it in one change. */
async function skipIfMissing(parts: MissingTrackSkipParts, roomId: string): Promise<void> {
  const { db, events, runtime } = parts
  const { track, queue } = (await loadRoomState(db, roomId)).state
  if (!track || !(await isUnavailable(parts, track))) return
  const missingEntryIds: string[] = []
  for (const entry of queue) {
    if (!(await isUnavailable(parts, entry))) break
    missingEntryIds.push(entry.entry_id)
  }
  const command = { type: 'skip_missing', trackId: track.id, missingEntryIds } as const
  const { changes } = await runtime.runCommand(roomId, command, { kind: 'server' })
  if (changes.length === 0) return
  const count = 1 + missingEntryIds.length
  const reason = track.restriction ? { reason: track.restriction } : {}
  await events.emit('missingTrackSkipped', { roomId, title: track.title, count, ...reason })
}

async function isUnavailable(
  { isFileMissing }: Pick<MissingTrackSkipParts, 'isFileMissing'>,
  track: Track | QueueEntry,
): Promise<boolean> {
  const isRestricted = track.restriction !== undefined && track.restriction !== null
  return isRestricted || (await isFileMissing(track))
}
