import { useQuery } from '@tanstack/react-query'
import { waveformQuery } from '../../../api/library-queries.ts'
import { useRoomState } from '../use-room.ts'

/** The waveform of the room's track; null for one that has none, or whose waveform is not known yet. */
export function useWaveform(): readonly number[] | null {
  const track = useRoomState((state) => state.track)
  const isLibrary = track?.source === 'library'
  const { data } = useQuery({ ...waveformQuery(track?.id ?? ''), enabled: isLibrary })
  return isLibrary ? (data ?? null) : null
}
