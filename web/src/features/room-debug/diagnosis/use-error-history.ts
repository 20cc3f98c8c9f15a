import { recentSamples, type ErrorHistory } from '@earshot/core/sync/follow/error-history'
import { useEffect, useState } from 'react'
import { wallNow } from '../../../engine/debug-access.ts'
import { useRoomRuntime } from '../../room/use-room.ts'

interface SeenHistory {
  history: ErrorHistory
  /** When it was looked at, on the client's monotonic wall clock in ms. */
  nowMs: number
}

const lookEveryMs = 1_000

/** How well the player followed over the last minutes, looked at once a second while this is on the page. */
export function useErrorHistory(): SeenHistory {
  const runtime = useRoomRuntime()
  const [seen, setSeen] = useState<SeenHistory>({ history: [], nowMs: 0 })
  useEffect(() => {
    const look = () => {
      const nowMs = wallNow()
      setSeen({ history: recentSamples(runtime.errorHistory(), nowMs), nowMs })
    }
    look()
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [runtime])
  return seen
}
