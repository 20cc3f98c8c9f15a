import { callApi } from '../api/call-api.ts'
import { applyTrack, missingTrackId } from './state/server-updates.ts'
import { update, type RoomStore } from './state/room-store.ts'

const retryMs = 2_000

/** Fetches the timeline's track where neither room nor queue say what it is (4.19a). Returns what stops it. */
export function fetchMissingTracks(store: RoomStore): () => void {
  let wanted: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const fetchTrack = async (trackId: string) => {
    try {
      const { track } = await callApi('GET /api/tracks/:trackId', { params: { trackId } })
      update(store, (data) => applyTrack(data, track))
    } catch {
      timer = setTimeout(() => {
        if (wanted === trackId) void fetchTrack(trackId)
      }, retryMs)
    }
  }

  const look = () => {
    const missing = missingTrackId(store.getState())
    if (missing === wanted) return
    clearTimeout(timer)
    wanted = missing
    if (missing !== null) void fetchTrack(missing)
  }
  const unsubscribe = store.subscribe(look)
  return () => {
    unsubscribe()
    clearTimeout(timer)
    wanted = null
  }
}
