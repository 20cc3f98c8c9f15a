import type { Clock } from '@earshot/core/clock'
import type { ListenerSync, PlayerKind } from '@earshot/core/protocol/sync-report'
import { limits } from '@earshot/core/limits'
import { isCueComplete } from '@earshot/core/room/track-change'
import { percentile } from '@earshot/core/statistics'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import type { Audience } from '@earshot/core/sync/lead'
import { inTurns } from '../async/in-batches.ts'
import type { ExchangeReports } from './sync-report-exchange.ts'
import { serverLimits } from '../server-limits.ts'

/** Rooms whose status is composed and sent in one turn of the event loop: all of 2,000 would delay clock probes by 50 ms. */
const roomsAtOnce = 50

export interface SyncReport extends ListenerSync {
  rttMs: number | null
  /** Null if not reported. */
  player: PlayerKind | null
}

/** A report as other processes read it. `isAwaited`: a start waits until this member has loaded the track. */
interface SharedReport extends SyncReport {
  isAwaited: boolean
}

/** Reports of one room, by user id. */
type MemberReports = Record<string, SharedReport>

export interface SyncStatus {
  members: Record<string, ListenerSync>
  /** Median and 95th percentile of what the members are in sync within. */
  p50Ms: number | null
  p95Ms: number | null
}

/** Collects how well the members of each room are in sync, as they report it (sync_report). */
export interface SyncReports {
  report(roomId: string, userId: string, report: SyncReport): void
  /** Forgets the reports of users who left. */
  forget(roomId: string, userIds: readonly string[]): void
  /** Returns the latest reports of the given members, of all processes as of the last exchange. */
  find(roomId: string, userIds: readonly string[]): Record<string, ListenerSync>
  /** Returns what a start has to wait for, from the reports of other processes as of the last exchange. */
  audience(roomId: string): Audience
  /** Returns what each member of this process was last in sync within, ms. */
  boundsMs(): number[]
  /** Yields the status of each room with new reports. */
  collect(): AsyncIterable<{ roomId: string; status: SyncStatus }>
}

interface OwnReport {
  report: SyncReport
  atMs: number
  /** Since when all reports of the member say that they could not sound yet; null where this one does not. */
  loadingSinceMs: number | null
}

interface RoomReports {
  own: Map<string, OwnReport>
  others: MemberReports
  isChanged: boolean
  collectedAtMs: number
}

/** `exchange` is null where the server is one process. */
export function createSyncReports(clock: Clock, exchange: ExchangeReports<SharedReport> | null): SyncReports {
  const rooms = new Map<string, RoomReports>()

  return {
    report(roomId, userId, report) {
      const room = rooms.get(roomId) ?? { own: new Map(), others: {}, isChanged: false, collectedAtMs: 0 }
      rooms.set(roomId, room)
      const atMs = clock.now()
      const loadingSinceMs = isLoading(report) ? (room.own.get(userId)?.loadingSinceMs ?? atMs) : null
      room.own.set(userId, { report: roundReport(report), atMs, loadingSinceMs })
      room.isChanged = true
    },
    forget(roomId, userIds) {
      const room = rooms.get(roomId)
      for (const userId of userIds) room?.own.delete(userId)
    },
    find(roomId, userIds) {
      const room = rooms.get(roomId)
      const found = userIds.flatMap((id) => {
        const report = room?.own.get(id)?.report ?? (room && readOwn(room.others, id))
        return report ? [[id, toListenerSync(report)] as const] : []
      })
      return Object.fromEntries(found)
    },
    audience: (roomId) => toAudience(rooms.get(roomId), clock.now()),
    boundsMs() {
      return [...rooms.values()].flatMap((room) => toBounds(toReports(room, clock.now())))
    },
    async *collect() {
      const nowMs = clock.now()
      removeOld(rooms, nowMs - serverLimits.syncReportKeepMs)
      const changed = [...rooms].filter(([, room]) => isDue(room, nowMs))
      let canAsk = true
      // Without Redis a room has the reports of this process.
      const readOthers = async (roomId: string, own: MemberReports): Promise<MemberReports[]> => {
        if (!exchange || !canAsk) return []
        return await exchange(roomId, own).catch(() => {
          canAsk = false
          return []
        })
      }
      const collectRoom = async ([roomId, room]: [string, RoomReports]) => {
        room.isChanged = false
        room.collectedAtMs = nowMs
        const own = toReports(room, nowMs)
        room.others = Object.assign({}, ...(await readOthers(roomId, own))) as MemberReports
        return { roomId, status: toStatus({ ...room.others, ...own }) }
      }
      for await (const batch of inTurns(changed, roomsAtOnce))
        yield* await Promise.all(batch.map(collectRoom))
    },
  }
}

/** Whether a member could not sound yet: without the track, or without the server's clock. */
function isLoading({ cause, errorMs }: SyncReport): boolean {
  return cause === 'buffering' || (cause === 'no_clock' && errorMs === null)
}

/** A track that does not load, or a client that says so for ever, holds up nobody for long. */
const isAwaited = ({ loadingSinceMs }: OwnReport, nowMs: number): boolean =>
  loadingSinceMs !== null && nowMs - loadingSinceMs <= limits.loadingAwaitedMs

function toAudience(room: RoomReports | undefined, nowMs: number): Audience {
  const audience = { roundTripsMs: [] as number[], hasElement: false }
  let members = 0
  let ready = 0
  const add = ({ rttMs, player }: SyncReport, isAwaitedHere: boolean): void => {
    if (rttMs !== null) audience.roundTripsMs.push(rttMs)
    audience.hasElement ||= player === 'element'
    members += 1
    if (!isAwaitedHere) ready += 1
  }
  // Every command of the room runs this: a list of its members costs a millisecond where there are thousands.
  room?.own.forEach((own) => add(own.report, isAwaited(own, nowMs)))
  if (room) Object.values(room.others).forEach((other) => add(other, other.isAwaited))
  return { ...audience, isLoading: !isCueComplete(ready, members) }
}

/** Larger rooms are due less often, which bounds the cost per room. */
function isDue(room: RoomReports, nowMs: number): boolean {
  return room.isChanged && nowMs - room.collectedAtMs >= room.own.size * serverLimits.presenceBatchPerMemberMs
}

function toReports(room: RoomReports, nowMs: number): MemberReports {
  return Object.fromEntries(
    [...room.own].map(([userId, own]) => [userId, { ...own.report, isAwaited: isAwaited(own, nowMs) }]),
  )
}

function toBounds(reports: MemberReports): number[] {
  return Object.values(reports).flatMap((report) => withinMs(report) ?? [])
}

function toStatus(reports: MemberReports): SyncStatus {
  const bounds = toBounds(reports)
  const members = Object.fromEntries(
    Object.entries(reports).map(([userId, report]) => [userId, toListenerSync(report)]),
  )
  return { members, p50Ms: round(percentile(bounds, 0.5)), p95Ms: round(percentile(bounds, 0.95)) }
}

/** Rounds to hundredths of a ms: all digits of a figure would be half of each message to the members. */
function roundReport(report: SyncReport): SyncReport {
  const { uncertaintyMs } = report
  return {
    ...report,
    errorMs: round(report.errorMs),
    ...(uncertaintyMs === undefined ? {} : { uncertaintyMs: round(uncertaintyMs) }),
  }
}

const round = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 100) / 100)

function toListenerSync({ errorMs, uncertaintyMs, cause }: SyncReport): ListenerSync {
  return { errorMs, uncertaintyMs, cause }
}

/** The ids come from clients. */
function readOwn(reports: MemberReports, id: string): SyncReport | undefined {
  return Object.hasOwn(reports, id) ? reports[id] : undefined
}

function removeOld(rooms: Map<string, RoomReports>, beforeMs: number): void {
  for (const [roomId, room] of rooms) {
    for (const [userId, { atMs }] of room.own) {
      if (atMs < beforeMs) room.own.delete(userId)
    }
    if (room.own.size === 0) rooms.delete(roomId)
  }
}
