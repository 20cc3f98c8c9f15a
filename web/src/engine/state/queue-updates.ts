import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import { type NumberedQueue, applyQueueDelta } from '@earshot/core/room/queue-delta'
import { renumberQueue } from '@earshot/core/room/room-state'
import type { RoomState } from './room-state.ts'

/** How whole queues and differences of the server change the state, as pure functions. */

/** Differences that wait are bounded: beyond it the whole queue is requested anyway. */
const awaitedDeltasMax = 100

/** Applies a queue now, or with the timeline of the same change, which follows (12.1). */
export function applyQueueUpdate(
  state: RoomState,
  { queue, version, sequence_number: sequenceNumber = 0 }: ServerPayload<'queueUpdate'>,
): RoomState {
  const queueVersion = version ?? null
  const isAhead = sequenceNumber > state.confirmed.timeline.sequenceNumber
  if (isAhead) return { ...state, awaitedQueue: { queue, queueVersion, sequenceNumber } }
  return applyQueue({ ...state, awaitedQueue: null }, queue, queueVersion)
}

/** Ignores a queue with a lower version than the last one. */
export function applyQueue(state: RoomState, queue: QueueEntry[], queueVersion: number | null): RoomState {
  if (isLate(state, queueVersion)) return state
  const confirmed = { ...state.confirmed, queue, queueVersion, queueTotal: null }
  return settleDeltas(removeConfirmedAdds({ ...state, confirmed }))
}

/** Applies the first entries of a long queue. Until the whole queue is here, those that were known before follow them. */
export function applyQueueStart(
  state: RoomState,
  first: QueueEntry[],
  { queueVersion, queueTotal }: { queueVersion: number | null; queueTotal: number },
): RoomState {
  if (isLate(state, queueVersion)) return state
  const firstIds = new Set(first.map((entry) => entry.entry_id))
  const others = state.confirmed.queue.filter((entry) => !firstIds.has(entry.entry_id))
  const queue = renumberQueue([...first, ...others].slice(0, queueTotal))
  return removeConfirmedAdds({ ...state, confirmed: { ...state.confirmed, queue, queueVersion, queueTotal } })
}

const isLate = ({ confirmed }: RoomState, queueVersion: number | null): boolean =>
  queueVersion !== null && queueVersion < (confirmed.queueVersion ?? 0)

/** Applies a difference now, or with the timeline of the same change, or after the whole queue that is missing. */
export function applyDelta(
  state: RoomState,
  { baseVersion, version, parts, sequence_number: sequenceNumber }: ServerPayload<'queueDelta'>,
): RoomState {
  const delta = { baseVersion, version, parts, sequenceNumber }
  return settleDeltas({ ...state, awaitedDeltas: [...state.awaitedDeltas, delta].slice(-awaitedDeltasMax) })
}

/** Applies the differences that continue the known queue and whose timeline is known. */
export function settleDeltas(state: RoomState): RoomState {
  if (state.awaitedDeltas.length === 0) return state
  const { queue, queueVersion, queueTotal, timeline } = state.confirmed
  if (queueVersion === null || queueTotal !== null) return state
  let known: NumberedQueue = { queue, version: queueVersion }
  let count = 0
  for (const delta of state.awaitedDeltas) {
    const next = delta.sequenceNumber > timeline.sequenceNumber ? null : applyQueueDelta(known, delta)
    if (!next) break
    known = next
    count++
  }
  if (count === 0) return state
  const settled = { ...state, awaitedDeltas: state.awaitedDeltas.slice(count) }
  if (known.version === queueVersion) return settled
  const confirmed = { ...state.confirmed, queue: known.queue, queueVersion: known.version }
  return removeConfirmedAdds({ ...settled, confirmed })
}

/** Whether a difference is missing, so that the whole queue is needed: unless the rest of it is on its way anyway. */
export function isQueueGap({ awaitedDeltas, confirmed }: RoomState): boolean {
  const [first] = awaitedDeltas
  const isAwaited = confirmed.queueTotal !== null
  return !isAwaited && first !== undefined && first.baseVersion !== confirmed.queueVersion
}

/** Removes each pending add whose entry is in the confirmed queue: the broadcast may overtake the server's answer. */
function removeConfirmedAdds(state: RoomState): RoomState {
  const { pending, confirmed } = state
  const entryIds = new Set(confirmed.queue.map((entry) => entry.entry_id))
  const confirmedIds = new Set<string>()
  const stillPending = pending.flatMap((command) => {
    if (command.command !== 'add') return command
    const { track, knownEntryIds } = command
    const isConfirming = (entry: QueueEntry): boolean =>
      entry.id === track.id && !knownEntryIds.has(entry.entry_id) && !confirmedIds.has(entry.entry_id)
    const confirming = confirmed.queue.find(isConfirming)
    if (!confirming) return { ...command, knownEntryIds: entryIds }
    confirmedIds.add(confirming.entry_id)
    return []
  })
  return { ...state, pending: stillPending }
}
