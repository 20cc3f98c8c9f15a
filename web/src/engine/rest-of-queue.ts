import { callApi } from '../api/call-api.ts'
import { requestSync, type SyncParts } from './room-actions.ts'
import { applyQueue } from './state/queue-updates.ts'
import { type RoomState, update, watch } from './state/room-state.ts'
import { wallNow } from '../wall-clock.ts'

/** The sound comes first: the rest is read when the current track is loaded, or after so long. */
const waitMs = 2_000
/** Those who join a crowd at once read it one after the other: each member takes the server so long. */
const spreadMs = { each: 20, max: 5_000 }
const retryMs = 5_000

/**
 * Reads the whole queue where the server sent only its first entries: by HTTP, which compresses it, or, where that fails,
 * over the connection. Returns a function that stops it.
 */
export function fetchRestOfQueue(room: SyncParts): () => void {
  const { roomId, store } = room
  const left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** When it is read; null while it is not to be, or is being read or waited for to be read again. */
  let dueAtMs: number | null = null
  let notBeforeMs: number | null = null
  let isReading = false

  const readByHttp = async () => {
    const input = { params: { roomId } }
    const { queue, version = null } = await callApi('GET /api/rooms/:roomId/queue', input, {
      signal: left.signal,
    })
    update(store, (state) => applyQueue(state, queue, version))
  }
  const read = async () => {
    isReading = true
    dueAtMs = notBeforeMs = null
    if (isMissing(store.getState())) {
      await readByHttp()
        .catch(() => requestSync(room, { brief: true, isQueueWhole: true }))
        .catch(() => undefined)
    }
    // A late answer is older than what the connection has brought meanwhile.
    const mustRepeat = !left.signal.aborted && isMissing(store.getState())
    if (mustRepeat) timer = setTimeout(() => void read(), retryMs)
    else isReading = false
  }
  const check = () => {
    const state = store.getState()
    if (isReading || !isMissing(state)) return
    const nowMs = wallNow()
    notBeforeMs ??= nowMs + Math.random() * spreadOf(state)
    const atMs = Math.max(notBeforeMs, isUrgent(state) ? nowMs : nowMs + waitMs)
    if (dueAtMs !== null && dueAtMs <= atMs) return
    clearTimeout(timer)
    dueAtMs = atMs
    timer = setTimeout(() => void read(), atMs - nowMs)
  }

  const unsubscribe = watch(store, ['phase', 'confirmed', 'awaitedDeltas', 'sync'], check)
  return () => {
    left.abort()
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

const spreadOf = ({ members, unlistedMembers }: RoomState): number =>
  Math.min(spreadMs.max, spreadMs.each * (members.length + unlistedMembers))
