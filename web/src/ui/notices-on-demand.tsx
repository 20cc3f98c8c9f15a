import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { hasWaiting, subscribeToWaiting } from './notify.ts'

/** Time for what the first screen needs more. */
const firstLoadMs = 1_000
const retryMs = 3_000

/**
 * What shows notices is not part of the first load: it comes a little later, or at once for the first notice. It must
 * be there before it is needed most - when the server is gone - so loading is tried again until it succeeds, and a
 * notice waits so long.
 */
export function NoticesOnDemand() {
  const isWaiting = useSyncExternalStore(subscribeToWaiting, hasWaiting)
  const [loaded, setLoaded] = useState<{ Notices: ComponentType } | null>(null)
  const [failures, setFailures] = useState(0)
  const delayMs = isWaiting && failures === 0 ? 0 : failures === 0 ? firstLoadMs : retryMs
  useEffect(() => {
    if (loaded) return
    const timer = setTimeout(() => {
      import('./notices.tsx').then(setLoaded, () => setFailures((count) => count + 1))
    }, delayMs)
    return () => clearTimeout(timer)
  }, [loaded, failures, delayMs])
  return loaded && <loaded.Notices />
}
