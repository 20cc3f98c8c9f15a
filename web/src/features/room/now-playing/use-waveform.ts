import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'
import { useRoomState } from '../use-room.ts'

/** The waveform of the room's track; null for one that has none, or whose waveform is not known yet. */
export function useWaveform(): readonly number[] | null {
  const track = useRoomState((state) => state.track)
  const trackId = track?.id ?? ''
  const isLibrary = track?.source === 'library'
  // It never changes; one that is not known yet is asked for again with the next track.
  const { data } = useQuery({
    queryKey: ['waveform', trackId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/tracks/:trackId/waveform', { params: { trackId } }, { signal })).peaks,
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    enabled: isLibrary,
  })
  return isLibrary ? (data ?? null) : null
}
