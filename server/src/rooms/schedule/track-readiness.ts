import { mayFollow } from '@earshot/core/room/next-track'
import { type LoadedNext, serverActor } from '@earshot/core/room/room-state'
import { isCueComplete } from '@earshot/core/room/track-change'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBatched } from '../../async/batched.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/database.ts'
import { listQueue } from '../../db/room-queues.ts'
import { findRooms, requireRoom } from '../../db/rooms.ts'
import type { EventBus, RoomCommit } from '../../events.ts'
import type { Presence, ReadyCount } from '../../presence/presence.ts'
import type { SyncReports } from '../../sync-reports/sync-reports.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { toStoredRoom } from '../store/stored-room.ts'
import { logUnlessGone } from './log-unless-gone.ts'

/**
 * Counts the members who have loaded the current or the next track, and starts a cued one as soon as they are ready; the
 * scheduler starts it at the deadline (4.13b).
 */
export interface TrackReadiness {
  /** Records that a member loaded the track cued with this sequence number. A stale number changes nothing. */
  reportReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
  /** Records that a member loaded the track that follows the one which plays with this sequence number. */
  reportNextReady(roomId: string, sequenceNumber: number, trackId: string, userId: string): Promise<void>
  /** Returns the first entry of the room's queue where so many members have loaded it that it may follow without a cue. */
  findLoadedNext(roomId: string): Promise<LoadedNext | null>
}

interface TrackReadinessParts {
  db: Db
  logger: Logger
  events: EventBus
  presence: Presence
  runtime: RoomRuntime
  syncReports: Pick<SyncReports, 'audience'>
}

const rememberedMax = 1_000

/** A Redis that does not answer does not hold up the change of track, which is cued then. */
const countWithinMs = 300
const nobody: ReadyCount = { ready: 0, answering: 0 }

/**
 * Readiness is stored per sequence number. The next track has none yet: derives a negative number, which no cue has, from
 * the current number and the track.
 */
const keyOfNext = (sequenceNumber: number, trackId: string): number =>
  -1 - createHash('sha256').update(`${sequenceNumber} ${trackId}`).digest().readUIntBE(0, 6)

/** Also starts a cue when the last member it waited for drops, and notes who answers no cues. */
export function createTrackReadiness({
  db,
  logger,
  events,
  presence,
  runtime,
  syncReports,
}: TrackReadinessParts): TrackReadiness {
  /** Cues that this process started or found complete, by room: later reports skip the database. */
  const started = new BoundedMap<string, number>(rememberedMax)
  const startIfComplete = async (roomId: string, sequenceNumber: number): Promise<void> => {
    if (!isComplete(await presence.countReady(roomId, sequenceNumber))) return
    started.set(roomId, sequenceNumber)
    await runtime.runCommand(roomId, { type: 'start_cued', sequenceNumber }, serverActor)
  }

  /** Resolves to null for all but one of those who drop from a room at once: one check serves them all. */
  const readDropped = createBatched(async (dropped: readonly string[]) => {
    const rooms = await findRooms(db, [...new Set(dropped)])
    return dropped.map((roomId) => {
      const room = rooms.get(roomId) ?? null
      rooms.delete(roomId)
      return room
    })
  })

  events.on('memberDropped', async ({ roomId }) => {
    try {
      const room = await readDropped(roomId)
      const state = room && toStoredRoom(room).state
      if (state?.cue) await startIfComplete(roomId, state.timeline.sequenceNumber)
    } catch (error) {
      const message = 'Could not check whether a cue is complete; the track starts at its deadline'
      logger.error({ err: error, roomId }, message)
    }
  })

  events.on('roomCommitted', (commit) => {
    const cue = findStartedCue(commit)
    if (cue === null) return
    const { roomId } = commit
    started.set(roomId, cue)
    const message = 'Could not record the start of a cue; members who do not answer are waited for once more'
    // Not awaited: the next change of the room does not wait for a Redis that is away.
    void presence.recordStart(roomId).catch(logUnlessGone(logger, roomId, message))
  })

  return {
    async reportReady(roomId, sequenceNumber, userId) {
      await presence.markReady(roomId, sequenceNumber, userId)
      if (started.get(roomId) !== sequenceNumber) await startIfComplete(roomId, sequenceNumber)
    },
    reportNextReady: (roomId, sequenceNumber, trackId, userId) =>
      presence.markReady(roomId, keyOfNext(sequenceNumber, trackId), userId),
    async findLoadedNext(roomId) {
      // An audio element cannot schedule: its listener would miss the beginning.
      if (syncReports.audience(roomId).hasElement) return null
      const [found, queue] = await Promise.all([requireRoom(db, roomId), listQueue(db, roomId, 1)])
      const { state } = toStoredRoom(found, queue)
      const [next] = queue
      if (!next || !mayFollow(state)) return null
      const { sequenceNumber } = state.timeline
      const counted = presence.countReady(roomId, keyOfNext(sequenceNumber, next.id)).catch(() => nobody)
      const isLoaded = isComplete(await Promise.race([counted, delay(countWithinMs, nobody, { ref: false })]))
      return isLoaded ? { sequenceNumber, entryId: next.entry_id } : null
    },
  }
}

/** With nobody to wait for, members may be reconnecting. */
const isComplete = ({ ready, answering }: ReadyCount): boolean =>
  answering > 0 && isCueComplete(ready, answering)

/** Returns the sequence number of the cue that a change started; null where it started none. */
export function findStartedCue({
  commands,
  outcome,
}: Pick<RoomCommit, 'commands' | 'outcome'>): number | null {
  const start = commands.find((command) => command.type === 'start_cued')
  return start && outcome.changes.length > 0 ? start.sequenceNumber : null
}
