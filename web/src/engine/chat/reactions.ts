import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { ServerClock } from '../../realtime/server-clock.ts'
import { wallNow } from '../../wall-clock.ts'
import type { ServerConnection } from '../../realtime/server-connection.ts'

type ReactionBatch = ServerPayload<'reactions'>['items']

/** Reactions that are later than this, for example after a hidden tab woke, are not shown. */
const lateMs = 1_000
/** A server's time further ahead than this is not waited for. */
const aheadMs = 5_000

interface ReactionSource {
  readonly roomId: string
  readonly connection: Pick<ServerConnection, 'on'>
  readonly clock: Pick<ServerClock, 'clientTimeOf'>
}

/**
 * Calls back with each batch of reactions at its server time, which is the same moment of the music on all pages.
 * Returns a function that stops it.
 */
export function listenToReactions(
  { roomId, connection, clock }: ReactionSource,
  onDue: (items: ReactionBatch) => void,
): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const stopListening = connection.on('reactions', (batch) => {
    const waitMs = clock.clientTimeOf(batch.at) - wallNow()
    if (batch.roomId !== roomId || waitMs < -lateMs || waitMs > aheadMs) return
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        onDue(batch.items)
      },
      Math.max(0, waitMs),
    )
    timers.add(timer)
  })
  return () => {
    stopListening()
    for (const timer of timers) clearTimeout(timer)
  }
}
