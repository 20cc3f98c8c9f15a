import { useSyncExternalStore } from 'react'

const tickMs = 30_000

let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, tickMs)
    queueMicrotask(tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Returns the current time in ms since 1970, updated every 30 s, for texts like '5 minutes ago'. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
