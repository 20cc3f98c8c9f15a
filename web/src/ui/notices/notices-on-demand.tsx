import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { hasQueuedNotices, subscribeToQueued } from './notify.ts'

/** Leaves the first second to the first screen. */
const firstLoadMs = 1_000
const retryMs = 3_000

/**
 * Loads the notices after the first screen, or at once for the first notice. They are needed most while the server is
 * unreachable, so loading starts early and is retried until it succeeds; notices wait in a queue.
 */
export function NoticesOnDemand({ load }: { load: () => Promise<ComponentType> }) {
  const hasQueued = useSyncExternalStore(subscribeToQueued, hasQueuedNotices)
  const [Loaded, setLoaded] = useState<ComponentType | null>(null)
  const [failures, setFailures] = useState(0)
  const delayMs = hasQueued && failures === 0 ? 0 : failures === 0 ? firstLoadMs : retryMs
  useEffect(() => {
    if (Loaded) return
    const timer = setTimeout(() => {
      load().then(
        (notices) => setLoaded(() => notices),
        () => setFailures((count) => count + 1),
      )
    }, delayMs)
    return () => clearTimeout(timer)
  }, [load, Loaded, failures, delayMs])
  return Loaded && <Loaded />
}
