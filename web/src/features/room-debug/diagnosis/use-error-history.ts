import { recentSamples, type ErrorHistory } from '@earshot/core/sync/follow/error-history'
import { useEffect, useState } from 'react'
import { wallNow } from '../../../realtime/wall-clock.ts'
import { useLiveRoom } from '../../room/use-room.ts'

interface SeenHistory {
  history: ErrorHistory
  /** When it was looked at, on the client's monotonic wall clock in ms. */
  nowMs: number
}

const lookEveryMs = 1_000

/** How well the player followed over the last minutes, looked at once a second while this is on the page. */
export function useErrorHistory(): SeenHistory {
  const live = useLiveRoom()
  const [seen, setSeen] = useState<SeenHistory>({ history: [], nowMs: 0 })
  useEffect(() => {
    const look = () => {
      const nowMs = wallNow()
      setSeen({ history: recentSamples(live()?.errorHistory() ?? [], nowMs), nowMs })
    }
    look()
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [live])
  return seen
}
