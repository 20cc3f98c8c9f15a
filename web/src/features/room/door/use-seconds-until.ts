import { useSyncExternalStore } from 'react'

const tickMs = 250

function tick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs)
  return () => clearInterval(timer)
}

const rest = () => () => undefined

/** Counts down the seconds until an instant (ms since 1970); null once it has passed, and without one. */
export function useSecondsUntil(atMs: number | null): number | null {
  const nowS = useSyncExternalStore(atMs === null ? rest : tick, () => Math.floor(Date.now() / 1_000))
  const left = atMs === null ? 0 : Math.ceil(atMs / 1_000) - nowS
  return left > 0 ? left : null
}
