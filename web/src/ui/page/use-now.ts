import { useSyncExternalStore } from 'react'
import { serverDateNow } from '../../wall-clock.ts'

const tickMs = 30_000

let nowMs = serverDateNow()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = serverDateNow()
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

/** Returns the server's time in ms since 1970, updated every 30 s, for texts like '5 minutes ago'. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
