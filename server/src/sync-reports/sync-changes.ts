import type { Clock } from '@earshot/core/clock'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import type { SyncStatus } from './sync-reports.ts'
import { serverLimits } from '../server-limits.ts'

type SyncChange = Omit<ServerPayload<'sync_changes'>, 'roomId'>

/** Remembers what each room was last sent of its members' sync, and finds what changed since. */
export interface SyncChanges {
  /** Returns what of `status` must be sent, and remembers it as sent; null where nothing changed notably. */
  next(roomId: string, status: SyncStatus): SyncChange | null
  /** Returns all that a member must know who joins now, the same object to all; null where nothing was sent. */
  latest(roomId: string): ServerPayload<'sync_changes'> | null
  /** Drops rooms whose members report no more. */
  dropOld(): void
}

interface Sent extends SyncStatus {
  atMs: number
  /** For who joins until the next change. */
  whole: ServerPayload<'sync_changes'> | null
  /** Small moves of the last status that were not sent: member ids, and `room` for the figures of the room. */
  moved: readonly string[]
}

/** No user has it as an id. */
const ofRoom = 'room'

export function createSyncChanges(clock: Clock): SyncChanges {
  const rooms = new Map<string, Sent>()

  return {
    next(roomId, status) {
      const sent = rooms.get(roomId) ?? { ...nothing, members: {}, atMs: 0, whole: null }
      const { due, moved } = compare(sent, status)
      const gone = Object.keys(sent.members).filter((id) => !(id in status.members))
      const changed = Object.entries(status.members).filter(([id]) => due.has(id))
      Object.assign(sent, { atMs: clock.now(), moved })
      rooms.set(roomId, sent)
      if (!due.has(ofRoom) && gone.length + changed.length === 0) return null
      const { p50Ms, p95Ms } = status
      const known = { ...sent.members, ...Object.fromEntries(changed) }
      for (const id of gone) delete known[id]
      Object.assign(sent, { p50Ms, p95Ms, members: known, whole: null })
      const members = Object.fromEntries([...gone.map((id) => [id, null] as const), ...changed])
      return { members, p50Ms, p95Ms }
    },
    latest(roomId) {
      const sent = rooms.get(roomId)
      if (!sent) return null
      const { members, p50Ms, p95Ms } = sent
      return (sent.whole ??= { roomId, members, p50Ms, p95Ms, isWhole: true })
    },
    dropOld() {
      const beforeMs = clock.now() - 2 * serverLimits.syncReportKeepMs
      for (const [roomId, { atMs }] of rooms) if (atMs < beforeMs) rooms.delete(roomId)
    },
  }
}

const nothing = { p50Ms: null, p95Ms: null, moved: [] }

/**
 * Compares a status with what was sent. Due is what moved far at once, and what moved a little in two statuses in a row:
 * a figure that is back by the next status would cost each member a message for nothing.
 */
function compare(sent: Sent, status: SyncStatus): { due: ReadonlySet<string>; moved: string[] } {
  const shares = Object.entries(status.members).map(
    ([id, report]) => [id, shareOfMember(sent.members[id], report)] as const,
  )
  const shareOfRoom = Math.max(shareMoved(sent.p50Ms, status.p50Ms), shareMoved(sent.p95Ms, status.p95Ms))
  const notable = [...shares, [ofRoom, shareOfRoom] as const].filter(([, share]) => share > 1)
  const isDue = ([id, share]: readonly [string, number]): boolean =>
    share > farShare || sent.moved.includes(id)
  const due = new Set(notable.filter(isDue).map(([id]) => id))
  return { due, moved: notable.flatMap(([id]) => (due.has(id) ? [] : [id])) }
}

/** A figure that moved this many times the notable movement is sent at once. */
const farShare = 2

function shareOfMember(before: ListenerSync | undefined, after: ListenerSync): number {
  if (!before || before.cause !== after.cause) return Infinity
  return Math.max(shareMoved(before.errorMs, after.errorMs), shareMoved(withinMs(before), withinMs(after)))
}

/** Returns how far a figure moved, in multiples of the movement that is notable. */
function shareMoved(before: number | null, after: number | null): number {
  if (before === null || after === null) return before === after ? 0 : Infinity
  return (
    Math.abs(after - before) /
    Math.max(serverLimits.syncChangeMs, Math.abs(before) * serverLimits.syncChangeShare)
  )
}
