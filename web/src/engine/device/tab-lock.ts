import { randomId } from '../random-id.ts'

/**
 * A lock that this tab holds for as long as it lives, and the wait for that of another tab. The browser releases it where a
 * tab crashes, is discarded or closed (Web Locks). Without Web Locks, as over plain http, nothing is held or noticed.
 */
export interface TabLock {
  /** The name under which other tabs wait for this one's end; undefined until it is held. */
  name(): string | undefined
  hold(): void
  release(): void
  /** Calls `onGone` once the tab that holds the lock is gone; replaces an earlier wait. */
  watch(name: string, onGone: () => void): void
  stopWatching(): void
}

/** @param onHeld called each time the lock is held; only then may other tabs wait for it */
export function createTabLock(onHeld: () => void): TabLock {
  const ownName = `earshot:tab:${randomId()}`
  let isHeld = false
  let holding = new AbortController()
  let watching = new AbortController()
  return {
    name: () => (isHeld ? ownName : undefined),
    hold() {
      const { signal } = (holding = new AbortController())
      request(ownName, signal, async () => {
        isHeld = true
        onHeld()
        await whenAborted(signal)
      })
    },
    release() {
      isHeld = false
      holding.abort()
    },
    watch(name, onGone) {
      watching.abort()
      const { signal } = (watching = new AbortController())
      request(name, signal, () => {
        if (!signal.aborted) onGone()
      })
    },
    stopWatching: () => watching.abort(),
  }
}

function request(name: string, signal: AbortSignal, callback: () => unknown): void {
  const { locks } = navigator as { locks?: LockManager }
  // Rejected where it is given up, or the page is being closed.
  locks?.request(name, { signal }, callback).catch(() => undefined)
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
