import { z } from 'zod'

/** What a listener reports of the own sync. */

/** The sync state of a listener, or the reason why the listener is not in sync. */
export const syncCauseSchema = z.enum([
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
