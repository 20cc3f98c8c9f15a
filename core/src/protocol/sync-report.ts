import { z } from 'zod'
import { limits } from '../limits.ts'
import { roomIdSchema } from './ids.ts'

/** The listeners' reports of their own sync. */

/** The sync state of a listener, or the reason why the listener is not in sync. */
const syncCauseSchema = z.enum([
  'in_sync',
  'correcting',
  'buffering',
  'ad',
  'hidden',
  'blocked',
  'unplayable',
  'no_clock',
  'paused',
])
export type SyncCause = z.infer<typeof syncCauseSchema>

/** A distance or time of a sync report in ms, at most an hour. */
const syncMs = z.number().max(3_600_000)

/** How well a listener is in sync. Times in ms. */
export const listenerSyncSchema = z.object({
  /** The distance of the sound from the room's timeline, positive = ahead; null while nothing is compared. */
  errorMs: syncMs.min(-3_600_000).nullable(),
  /** How far `errorMs` may be off: the bound of the clock's offset, and that of the player's position. */
  uncertaintyMs: syncMs.nonnegative().nullish(),
  cause: syncCauseSchema,
})
export type ListenerSync = z.infer<typeof listenerSyncSchema>

/** The kind of a listener's player, which selects its correction profile. */
export const playerKindSchema = z.enum(['library', 'element', 'video', 'streaming'])
export type PlayerKind = z.infer<typeof playerKindSchema>

const roomFigures = { p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }

/**
 * `sync_status`: the latest report of each member, batched, by member id; median and 95th percentile of what the
 * members are in sync within: |error| + uncertainty.
 */
export const syncStatusFields = { members: z.record(z.string(), listenerSyncSchema), ...roomFigures }

/**
 * `sync_changes`, instead of `sync_status` to clients that announced `syncChanges`: of the first members
 * (`limits.syncShownMembers`) those whose report changed, null for one who reports no more; sent only with a change, at
 * most every 5 s. With `isWhole`, after joining, it replaces what is known.
 */
export const syncChangesFields = {
  members: z.record(z.string(), listenerSyncSchema.nullable()),
  ...roomFigures,
  isWhole: z.boolean().optional(),
}

/** `member_sync`: the latest reports of listed members; those who report nothing are left out. */
export const memberSyncCall = {
  payload: z.object({
    roomId: roomIdSchema,
    memberIds: z.array(z.string().min(1).max(100)).max(limits.membersPageSize),
  }),
  ack: z.object({ members: z.record(z.string(), listenerSyncSchema) }),
}
