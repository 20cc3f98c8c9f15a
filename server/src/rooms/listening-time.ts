import { setImmediate as endOfTurn } from 'node:timers/promises'
import { type Clock, minuteMs } from '@earshot/core/clock'
import type { Source } from '@earshot/core/protocol/entities'
import type { ProfileStats } from '@earshot/core/protocol/providers'
import { endsAt, type Timeline } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'
import {
  addListeningTime,
  addRoomListeningTime,
  findListeningTime,
  listListeners,
  type Listener,
  type MemberFilter,
} from '../db/listening-time.ts'
import { countCreatedRooms } from '../db/profiles.ts'
import type { EventBus, RoomCommit } from '../events.ts'

interface ListeningTimeParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
}

export interface ListeningTimeCounter {
  /** Returns a user's statistics as of now (3.11). */
  readStats: (userId: string) => Promise<ProfileStats>
  /** Counts what is not counted yet and stops. Resolves when nothing is under way. */
  close(): Promise<void>
}

const countEveryMs = minuteMs
/** A longer gap was not counted because no server ran: nobody listened all that time. */
const gapMaxMs = 2 * countEveryMs
/** Changes of one room are counted at most this often, so that an owner who seeks all the time costs little. */
const changeEveryMs = 5_000
const pageSize = 500

/**
 * Counts how long users listen to each source: the time in which they are members of a room that plays (decision 020).
 * Counts every minute, after a change of a playing room, and before a member leaves. Every process counts all rooms; each
 * user's row says until when they are counted, so that no time counts twice.
 */
export function startListeningTime(parts: ListeningTimeParts): ListeningTimeCounter {
  const { db, clock, logger, events } = parts
  const changedAtMs = new Map<string, number>()
  const pending = new Set<Promise<void>>()

  const count = (): Promise<void> => {
    const nowMs = clock.now()
    for (const [roomId, atMs] of changedAtMs) if (atMs <= nowMs - changeEveryMs) changedAtMs.delete(roomId)
    return countLater({ nowMs })
  }
  /** After the changes that are being counted: what came before them would count as done. */
  const countLater = async (members: CountedMembers): Promise<void> => {
    await Promise.all(pending)
    await countPlaying(db, members)
  }
  const countChange = ({ roomId, outcome: { before } }: RoomCommit, nowMs: number): void => {
    if (nowMs - (changedAtMs.get(roomId) ?? -Infinity) < changeEveryMs) return
    changedAtMs.set(roomId, nowMs)
    // The acknowledgement, for which the sender waits, follows in this turn.
    const counted = endOfTurn()
      .then(() => countTimeline(db, { roomId, timeline: before.timeline, nowMs }))
      .catch((error: unknown) =>
        logger.warn({ err: error, roomId }, 'Could not count the listening time of a room; it is lost'),
      )
      .finally(() => pending.delete(counted))
    pending.add(counted)
  }

  // Not awaited: the room does not wait for its statistics.
  events.on('roomCommitted', (commit) => {
    if (endsPlaying(commit)) countChange(commit, clock.now())
  })
  events.on('membersLeaving', ({ roomId, userIds }) => countLater({ roomId, userIds, nowMs: clock.now() }))
  const stopCounting = repeat(clock, { firstMs: countEveryMs, everyMs: countEveryMs }, count, (error) =>
    logger.warn({ err: error }, 'Could not count listening time; retrying in 60 s'),
  )

  return {
    async readStats(userId) {
      await countLater({ userIds: [userId], nowMs: clock.now() })
      return toStats(await countCreatedRooms(db, userId), (await findListeningTime(db, userId))?.bySource)
    },
    async close() {
      await stopCounting()
      await count().catch((error: unknown) =>
        logger.warn({ err: error }, 'Could not count the last listening time; up to a minute is lost'),
      )
    },
  }
}

/** Whether a change ended what the room played, or began it anew elsewhere: its start is not stored any more. */
function endsPlaying({ outcome }: RoomCommit): boolean {
  const before = outcome.before.timeline
  const after = outcome.state.timeline
  const isSame = after.atServerMs === before.atServerMs && after.trackId === before.trackId
  return before.isPlaying && !(isSame && after.isPlaying)
}

type CountedMembers = { nowMs: number } & Pick<MemberFilter, 'roomId' | 'userIds'>

/** Counts members of rooms that play, page by page. */
async function countPlaying(db: Db, { nowMs, ...filter }: CountedMembers): Promise<void> {
  await eachPage(async (after) => {
    const page = await listListeners(db, { ...filter, after, limit: pageSize, nowMs })
    await addListeningTime(db, onceEach(page, nowMs), nowMs)
    return page
  })
}

/** Counts the members of a room that played this timeline until now. */
async function countTimeline(
  db: Db,
  { roomId, timeline, nowMs }: { roomId: string; timeline: Timeline; nowMs: number },
): Promise<void> {
  const { source, atServerMs } = timeline
  const untilMs = Math.min(nowMs, endsAt(timeline) ?? Infinity)
  const sinceMs = Math.max(atServerMs, untilMs - gapMaxMs)
  if (source === null || sinceMs >= untilMs) return
  const listening = { roomId, source, sinceMs, untilMs }
  for (let after: string | null = ''; after !== null;) {
    after = await addRoomListeningTime(db, listening, { after, limit: pageSize })
  }
}

async function eachPage(run: (after: string | undefined) => Promise<{ userId: string }[]>): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await run(after)
    if (page.length < pageSize) return
    after = page.at(-1)?.userId
  }
}

/** Keeps one room of each user, without gaps in which no server ran. */
function onceEach(listeners: Listener[], untilMs: number): Listener[] {
  const byUser = new Map(listeners.map((listener) => [listener.userId, listener]))
  return [...byUser.values()]
    .filter((listener) => listener.sinceMs < untilMs)
    .map((listener) => ({ ...listener, sinceMs: Math.max(listener.sinceMs, untilMs - gapMaxMs) }))
}

function toStats(totalRoomsCreated: number, bySource: Record<Source, number> | undefined): ProfileStats {
  const times = bySource ?? { library: 0, spotify: 0, youtube: 0 }
  const totalMs = times.library + times.spotify + times.youtube
  const sources = ['library', 'spotify', 'youtube'] as const
  const favourite = sources.toSorted((one, other) => times[other] - times[one])[0]
  return {
    totalRoomsCreated,
    totalPlaytime: Math.floor(totalMs / minuteMs),
    favoriteService: totalMs > 0 && favourite ? favourite : null,
  }
}
