import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { UnplayableCounts } from '@earshot/core/protocol/providers'
import type { ExchangeReports } from './sync-report-exchange.ts'
import { serverLimits } from '../server-limits.ts'

/** Counts which of a room's current and next tracks its members cannot play, as they report it (playability_report). */
export interface Playability {
  /** Replaces the member's report. Returns the counts as last collected. */
  report(roomId: string, userId: string, trackIds: readonly string[]): UnplayableCounts
  /** Counts the room anew: a member may have left. */
  recount(roomId: string): void
  /** Counts the rooms that are due; yields those where the counts changed. */
  collect(): AsyncGenerator<{ roomId: string; unplayable: UnplayableCounts }>
}

interface PlayabilityParts {
  clock: Clock
  /** Null where the server is one process. */
  exchange: ExchangeReports<readonly string[]> | null
  /** Lists the ids of the current and the next tracks: others are not counted. */
  listUpcoming: (roomId: string) => Promise<readonly string[]>
  /** Returns the users with a connection to this process: reports of others are dropped. */
  connectedUsers: (roomId: string) => ReadonlySet<string>
}

interface UnplayableReports {
  /** The ids of tracks that each member of this process cannot play, by user id. */
  own: Map<string, readonly string[]>
  counts: UnplayableCounts
  isChanged: boolean
  countedAtMs: number
}

/** Between two counts of a room that changes. */
const countAfterMs = 1_000

export function createPlayability(parts: PlayabilityParts): Playability {
  const { clock, exchange, listUpcoming, connectedUsers } = parts
  const rooms = new Map<string, UnplayableReports>()

  /** Larger rooms are due less often, which bounds the cost per room. Other processes' reports are read every 5 s. */
  const isDue = ({ own, isChanged, countedAtMs }: UnplayableReports): boolean => {
    const elapsedMs = clock.now() - countedAtMs
    const isReadDue = exchange !== null && elapsedMs >= limits.syncReportMs
    return isChanged
      ? elapsedMs >= Math.max(countAfterMs, own.size * serverLimits.presenceBatchPerMemberMs)
      : isReadDue
  }

  const count = async (roomId: string, room: UnplayableReports): Promise<UnplayableCounts> => {
    const own = Object.fromEntries([...room.own].filter(([, trackIds]) => trackIds.length > 0))
    const others = exchange ? await exchange(roomId, own) : []
    const reports = Object.values(Object.assign({}, ...others, own) as typeof own)
    return reports.length > 0 ? countEach(await listUpcoming(roomId), reports) : {}
  }

  return {
    report(roomId, userId, trackIds) {
      const room = rooms.get(roomId) ?? { own: new Map(), counts: {}, isChanged: false, countedAtMs: 0 }
      rooms.set(roomId, room)
      const before = room.own.get(userId) ?? []
      room.own.set(userId, trackIds)
      room.isChanged ||= before.join() !== trackIds.join()
      return room.counts
    },
    recount(roomId) {
      const room = rooms.get(roomId)
      if (room) room.isChanged = true
    },
    async *collect() {
      for (const [roomId, room] of [...rooms].filter(([, each]) => isDue(each))) {
        dropOthers(room.own, connectedUsers(roomId))
        room.isChanged = false
        room.countedAtMs = clock.now()
        // oxlint-disable-next-line no-await-in-loop -- one query at a time: no burst where many rooms are due
        const counts = await count(roomId, room).catch((error: unknown) => {
          room.isChanged = true
          throw error
        })
        if (room.own.size === 0) rooms.delete(roomId)
        const isNew = !isDeepStrictEqual(counts, room.counts)
        room.counts = counts
        if (isNew) yield { roomId, unplayable: counts }
      }
    },
  }
}

function dropOthers(own: UnplayableReports['own'], kept: ReadonlySet<string>): void {
  for (const userId of own.keys()) {
    if (!kept.has(userId)) own.delete(userId)
  }
}

function countEach(upcoming: readonly string[], reports: readonly (readonly string[])[]): UnplayableCounts {
  const members = reports.map((trackIds) => new Set(trackIds))
  const counts = upcoming.map((id) => [id, members.filter((trackIds) => trackIds.has(id)).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
