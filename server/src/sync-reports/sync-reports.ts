import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { PlayerKind, SyncCause } from '@earshot/core/protocol/socket-events'
import { percentile } from '@earshot/core/statistics'
import type { Audience } from '@earshot/core/sync/lead'

/** How well each room is in sync, from what its members report (sync_report). */

export interface SyncReport {
  /** How far ahead of the room's timeline the member's sound is, ms; null where nothing sounds. */
  errorMs: number | null
  cause: SyncCause
  rttMs: number | null
  /** Null where the member did not say. */
  player: PlayerKind | null
}

/** The reports that one process holds of a room. */
export type SyncReports = Record<string, SyncReport>

export interface SyncStatus {
  members: Record<string, { errorMs: number | null; cause: SyncCause }>
  p50Ms: number | null
  p95Ms: number | null
}

/** Passes a room's reports to the other processes and resolves to theirs; without others, to none. */
export type ExchangeReports = (roomId: string, own: SyncReports) => Promise<SyncReports[]>

export interface SyncBoard {
  report(roomId: string, userId: string, report: SyncReport): void
  /** What is known of a room's members: of this process's, and of the others' as of their last exchange. */
  audience(roomId: string): Audience
  /** Every error that the members of this process reported last, ms, without sign. */
  errorsMs(): number[]
  /** The rooms with reports that are not yet told, and what to tell. */
  collect(): Promise<{ roomId: string; status: SyncStatus }[]>
}

interface RoomReports {
  own: Map<string, { report: SyncReport; atMs: number }>
  others: SyncReports
  isChanged: boolean
  toldAtMs: number
}

export function createSyncBoard(clock: Clock, exchange: ExchangeReports): SyncBoard {
  const rooms = new Map<string, RoomReports>()

  return {
    report(roomId, userId, report) {
      const room = rooms.get(roomId) ?? { own: new Map(), others: {}, isChanged: false, toldAtMs: 0 }
      rooms.set(roomId, room)
      room.own.set(userId, { report, atMs: clock.now() })
      room.isChanged = true
    },
    audience(roomId) {
      const room = rooms.get(roomId)
      const reports = room ? [...Object.values(toReports(room)), ...Object.values(room.others)] : []
      return {
        roundTripsMs: reports.flatMap(({ rttMs }) => rttMs ?? []),
        hasElement: reports.some(({ player }) => player === 'element'),
      }
    },
    errorsMs() {
      return [...rooms.values()].flatMap((room) => toErrors(toReports(room)))
    },
    async collect() {
      const nowMs = clock.now()
      forgetOld(rooms, nowMs - limits.syncReportKeepMs)
      const changed = [...rooms].filter(([, room]) => isDue(room, nowMs))
      return await Promise.all(
        changed.map(async ([roomId, room]) => {
          room.isChanged = false
          room.toldAtMs = nowMs
          room.others = Object.assign({}, ...(await exchange(roomId, toReports(room)))) as SyncReports
          const reports = { ...room.others, ...toReports(room) }
          return { roomId, status: toStatus(reports) }
        }),
      )
    },
  }
}

/** The larger a room, the less often: what it costs to tell it stays bounded. */
function isDue(room: RoomReports, nowMs: number): boolean {
  return room.isChanged && nowMs - room.toldAtMs >= room.own.size * limits.presenceBatchPerMemberMs
}

function toReports(room: RoomReports): SyncReports {
  return Object.fromEntries([...room.own].map(([userId, { report }]) => [userId, report]))
}

function toErrors(reports: SyncReports): number[] {
  return Object.values(reports).flatMap(({ errorMs }) => (errorMs === null ? [] : Math.abs(errorMs)))
}

function toStatus(reports: SyncReports): SyncStatus {
  const errors = toErrors(reports)
  const members = Object.fromEntries(
    Object.entries(reports).map(([userId, { errorMs, cause }]) => [userId, { errorMs, cause }]),
  )
  return { members, p50Ms: percentile(errors, 0.5), p95Ms: percentile(errors, 0.95) }
}

function forgetOld(rooms: Map<string, RoomReports>, beforeMs: number): void {
  for (const [roomId, room] of rooms) {
    for (const [userId, { atMs }] of room.own) {
      if (atMs < beforeMs) room.own.delete(userId)
    }
    if (room.own.size === 0) rooms.delete(roomId)
  }
}
