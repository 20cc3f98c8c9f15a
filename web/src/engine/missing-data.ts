import { hasCode } from '@earshot/core/protocol/errors'
import { callApi } from '../api/call-api.ts'
import { type RoomState, type RoomStore, update, watch } from './state/room-state.ts'
import { requestSync, type RoomParts } from './room-actions.ts'
import { isQueueGap } from './state/queue-updates.ts'
import { applyTrack } from './state/server-updates.ts'

/** Returns the id of the confirmed track if its data are still to be fetched. */
export function missingTrackId({ confirmed }: RoomState): string | null {
  return confirmed.track === null ? confirmed.timeline.trackId : null
}

const trackRetryFirstMs = 2_000
const trackRetryMaxMs = 30_000

/** Fetches the timeline's track when neither room nor queue contain it (4.19a). Returns a function that stops it. */
export function fetchMissingTracks(store: RoomStore): () => void {
  let wanted: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const fetchTrack = async (trackId: string, retryMs = trackRetryFirstMs) => {
    try {
      const { track } = await callApi('GET /api/tracks/:trackId', { params: { trackId } })
      update(store, (state) => applyTrack(state, track))
    } catch (error) {
      // Deleted: it does not come back.
      if (hasCode(error, 'track_not_found')) return
      timer = setTimeout(() => {
        if (wanted === trackId) void fetchTrack(trackId, Math.min(2 * retryMs, trackRetryMaxMs))
      }, retryMs)
    }
  }

  const check = () => {
    const missing = missingTrackId(store.getState())
    if (missing === wanted) return
    clearTimeout(timer)
    wanted = missing
    if (missing !== null) void fetchTrack(missing)
  }
  check()
  const unsubscribe = watch(store, ['confirmed'], check)
  return () => {
    unsubscribe()
    clearTimeout(timer)
    wanted = null
  }
}

/** Requests the whole queue after a lost difference, once at a time. Returns a function that stops it. */
export function fetchMissingQueue(room: RoomParts, onRefused: (error: unknown) => void): () => void {
  let isRequested = false
  return watch(room.store, ['awaitedDeltas', 'confirmed'], () => {
    const state = room.store.getState()
    if (isRequested || state.phase !== 'joined' || !isQueueGap(state)) return
    isRequested = true
    requestSync(room, { forceSync: true })
      .catch(onRefused)
      .finally(() => {
        isRequested = false
      })
  })
}
