import type { Clock } from '@earshot/core/clock'
import type { RoomSettings } from '@earshot/core/protocol/entities'
import type { SkipVotes } from '@earshot/core/protocol/skip-votes'
import { type RoomCommand, serverActor } from '@earshot/core/room/room-state'
import { neededVotes } from '@earshot/core/room/skip-votes'
import type { Logger } from 'pino'
import { createBatchedLookup } from '../async/batched.ts'
import { createKeyedThrottle } from '../async/keyed-throttle.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { Db } from '../db/database.ts'
import { type RoomRow, type RoomWithTrack, findRooms } from '../db/rooms.ts'
import type { EventBus } from '../events.ts'
import type { StoredVotes } from '../presence/presence.ts'
import { serverLimits } from '../server-limits.ts'
import type { RoomRuntime } from './room-runtime.ts'
import { logUnlessGone } from './schedule/log-unless-gone.ts'
import type { TrackReadiness } from './schedule/track-readiness.ts'
import { parseRoomSettings, toStoredRoom } from './store/stored-room.ts'

/** Votes to skip the current track of a room, counted over all processes. Callers check membership (decision 178). */
export interface VotesToSkip {
  /**
   * Votes, or takes the vote back, if the sequence number is of the current track's turn. Skips the track once there are
   * enough. Resolves to the counts before that; null where the room has no votes or no track.
   */
  vote(roomId: string, vote: Vote): Promise<SkipVotes | null>
  /** Resolves to what a member who has just joined is to know; null where there is nothing. The others get new counts. */
  welcome(room: RoomRow, userId: string): Promise<SkipVotes | null>
  close(): void
}

interface Vote {
  userId: string
  sequenceNumber: number
  isFor: boolean
}

interface VotesToSkipParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: StoredVotes
  runtime: Pick<RoomRuntime, 'runCommand'>
  readiness: Pick<TrackReadiness, 'findLoadedNext'>
}

/** The current track of a room that has votes. */
interface VoteTarget {
  trackId: string
  turn: number
  settings: RoomSettings
}

interface VoteResult {
  votes: SkipVotes
  answering: number
  isEnough: boolean
}

const rememberedMax = 1_000

/**
 * Emits `skipVotesCounted` when votes or listeners change: at once, then in batches, less often in large rooms. So votes of
 * n members at once cost O(n), not O(n^2).
 */
export function createVotesToSkip(parts: VotesToSkipParts): VotesToSkip {
  const { events, presence } = parts
  const findTarget = createTargetReader(parts.db)
  const skip = createSkips(parts)

  /** Counts the votes of a room, and skips its track where there are enough: the next count then is of another turn. */
  const count = async (roomId: string, { trackId, turn, settings }: VoteTarget): Promise<VoteResult> => {
    const { votes, answering } = await presence.countVotes(roomId, turn)
    const needed = neededVotes(settings, answering)
    if (votes >= needed) await skip(roomId, turn)
    return { votes: { trackId, turn, votes, needed }, answering, isEnough: votes >= needed }
  }

  const announceNow = async (roomId: string): Promise<void> => {
    try {
      const target = await findTarget(roomId)
      const counted = target && (await count(roomId, target))
      if (counted && !counted.isEnough) void events.emit('skipVotesCounted', { roomId, ...counted.votes })
      const waitMs = (counted?.answering ?? 0) * serverLimits.presenceBatchPerMemberMs
      announcements.wait(roomId, Math.max(serverLimits.skipVotesBatchMs, waitMs))
    } catch (error) {
      const message = 'Could not count the votes to skip a track; the next vote counts them again'
      logUnlessGone(parts.logger, roomId, message)(error)
    }
  }
  const announcements = createKeyedThrottle(parts.clock, serverLimits.skipVotesBatchMs, announceNow)
  const announce = (roomId: string): Promise<void> | null => announcements.request(roomId)

  // A member who left neither votes nor counts towards the threshold.
  events.on('memberDropped', async ({ roomId }) => {
    await announce(roomId)
  })
  events.on('roomEdited', ({ roomId }) => void announce(roomId))
  events.on('tracksChanged', ({ roomId, outcome: { before, state } }) => {
    // Not awaited: the next change of the room does not wait for a Redis that is away.
    if (state.settings.skipVotes !== 'off' && before.turn !== state.turn) void announce(roomId)
  })

  return {
    async vote(roomId, { userId, sequenceNumber, isFor }) {
      const target = await findTarget(roomId)
      if (!target) return null
      const { turn } = target
      const isOwn =
        sequenceNumber >= turn
          ? await presence.setVote(roomId, userId, isFor ? turn : null)
          : await presence.hasVoted(roomId, userId, turn)
      const { votes } = await count(roomId, target)
      void announce(roomId)
      return { ...votes, isOwn }
    },
    async welcome(row, userId) {
      // Without a query where the room has no votes.
      if (parseRoomSettings(row.settings).skipVotes === 'off') return null
      const target = await findTarget(row.id)
      if (!target) return null
      const { votes } = await count(row.id, target)
      void announce(row.id)
      return { ...votes, isOwn: await presence.hasVoted(row.id, userId, votes.turn) }
    },
    close: () => announcements.close(),
  }
}

/** Returns a function that reads a room; null where it has no votes or no track. Those who vote at once share a statement. */
function createTargetReader(db: Db): (roomId: string) => Promise<VoteTarget | null> {
  return createBatchedLookup(async (roomIds: string[]) => {
    const rooms = await findRooms(db, roomIds)
    return new Map([...rooms].map(([roomId, room]) => [roomId, toVoteTarget(room)]))
  })
}

function toVoteTarget(room: RoomWithTrack): VoteTarget | null {
  const { state } = toStoredRoom(room)
  if (state.settings.skipVotes === 'off' || !state.track) return null
  return { trackId: state.track.id, turn: state.turn, settings: state.settings }
}

/** Returns a function that skips the track of a turn, once in this process; in others it changes nothing. */
function createSkips({ runtime, readiness }: Pick<VotesToSkipParts, 'runtime' | 'readiness'>) {
  const skipped = new BoundedMap<string, number>(rememberedMax)
  return async (roomId: string, turn: number): Promise<void> => {
    if (skipped.get(roomId) === turn) return
    skipped.set(roomId, turn)
    let isSkipped = false
    try {
      const loaded = await readiness.findLoadedNext(roomId)
      const skip: RoomCommand = { type: 'skip_by_vote', turn, loaded }
      const { changes } = await runtime.runCommand(roomId, skip, serverActor)
      isSkipped = changes.length > 0
    } finally {
      if (!isSkipped) skipped.delete(roomId)
    }
  }
}
