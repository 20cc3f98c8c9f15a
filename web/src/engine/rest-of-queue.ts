import { callApi } from '../api/call-api.ts'
import type { RoomParts } from './room-actions.ts'
import { applyQueue } from './state/queue-updates.ts'
import { type RoomState, update, watch } from './state/room-state.ts'

/** The sound comes first: the rest is read when the current track is loaded, or after so long. */
const waitMs = 5_000
const retryMs = 5_000

/** Reads the whole queue where a join brought only its first entries. Returns a function that stops it. */
export function fetchRestOfQueue({ roomId, store }: Pick<RoomParts, 'roomId' | 'store'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let hasFailed = false

  const read = async () => {
    isReading = true
    clearTimeout(timer)
    timer = undefined
    try {
      const { queue, version = null } = await callApi('GET /api/rooms/:roomId/queue', { params: { roomId } })
      update(store, (state) => applyQueue(state, queue, version))
      hasFailed = false
    } catch {
      hasFailed = true
      readIn(retryMs)
    }
    isReading = false
  }
  const readIn = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (isMissing(store.getState())) void read()
    }, ms)
  }
  const check = () => {
    const state = store.getState()
    if (isReading || !isMissing(state)) return
    if (isUrgent(state) && !hasFailed) void read()
    else readIn(waitMs)
  }

  const unsubscribe = watch(store, ['phase', 'confirmed', 'awaitedDeltas', 'sync'], check)
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}

const isMissing = ({ phase, confirmed }: RoomState): boolean =>
  phase === 'joined' && confirmed.queueTotal !== null

/** A difference cannot be applied without the whole queue. */
function isUrgent({ awaitedDeltas, sync }: RoomState): boolean {
  return awaitedDeltas.length > 0 || (sync.cause !== 'buffering' && sync.cause !== 'no_clock')
}
