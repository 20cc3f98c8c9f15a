import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import type { SyncStatus } from './sync-reports.ts'

export type SyncChange = Omit<ServerPayload<'sync_changes'>, 'roomId'>

/** Remembers what each room was last sent of its members' sync, and finds what changed since. */
export interface SyncChanges {
  /** Returns what of `status` must be sent, and remembers it as sent; null where nothing changed notably. */
  next(roomId: string, status: SyncStatus): SyncChange | null
  /** Returns all that a member must know who joins now; null where nothing was sent. */
  latest(roomId: string): SyncChange | null
  /** Drops rooms whose members report no more. */
  dropOld(): void
}

interface Sent extends SyncStatus {
  atMs: number
}

export function createSyncChanges(clock: Clock): SyncChanges {
  const rooms = new Map<string, Sent>()

  return {
    next(roomId, status) {
      const sent = rooms.get(roomId) ?? { members: {}, p50Ms: null, p95Ms: null, atMs: 0 }
      const gone = Object.keys(sent.members).filter((id) => !(id in status.members))
      const changed = Object.entries(status.members).filter(([id, report]) =>
        isNotable(sent.members[id], report),
      )
      const isSame = !isFar(sent.p50Ms, status.p50Ms) && !isFar(sent.p95Ms, status.p95Ms)
      sent.atMs = clock.now()
      rooms.set(roomId, sent)
      if (isSame && gone.length + changed.length === 0) return null
      const { p50Ms, p95Ms } = status
      for (const id of gone) delete sent.members[id]
      Object.assign(sent, { p50Ms, p95Ms, members: { ...sent.members, ...Object.fromEntries(changed) } })
      const members = Object.fromEntries([...gone.map((id) => [id, null] as const), ...changed])
      return { members, p50Ms, p95Ms }
    },
    latest(roomId) {
      const sent = rooms.get(roomId)
      return sent ? { members: sent.members, p50Ms: sent.p50Ms, p95Ms: sent.p95Ms, isWhole: true } : null
    },
    dropOld() {
      const beforeMs = clock.now() - 2 * limits.syncReportKeepMs
      for (const [roomId, { atMs }] of rooms) if (atMs < beforeMs) rooms.delete(roomId)
    },
  }
}

function isNotable(before: ListenerSync | undefined, after: ListenerSync): boolean {
  if (!before || before.cause !== after.cause) return true
  return isFar(before.errorMs, after.errorMs) || isFar(withinMs(before), withinMs(after))
}

/** Whether a figure moved by more than it usually trembles. */
function isFar(before: number | null, after: number | null): boolean {
  if (before === null || after === null) return before !== after
  return Math.abs(after - before) > Math.max(limits.syncChangeMs, Math.abs(before) * limits.syncChangeShare)
}
