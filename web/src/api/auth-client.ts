import { useSyncExternalStore } from 'react'
import type { AuthClient } from './auth-library.ts'
import { readPageData } from './page-data.ts'

/** Leaves the line to the first screen. Reading the session renews its cookie, so that is done once a visit. */
const loadAfterMs = 5_000
/** Signs that the session may have changed elsewhere: a message of another tab, and coming back to this one. */
const wakingEvents = ['storage', 'focus', 'online'] as const

let loading: Promise<AuthClient> | null = null
let loaded: AuthClient | null = null
const listeners = new Set<() => void>()

/** Loads the sign-in library, once. Rejects where its code cannot be loaded; the next call tries again. */
export function loadAuthClient(): Promise<AuthClient> {
  loading ??= import('./auth-library.ts').then(
    ({ authClient }) => {
      loaded = authClient
      for (const listener of listeners) listener()
      return authClient
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/**
 * Follows the sign-in library's state of the session; null until the library is loaded. Where the page already contains
 * the user, that is a few seconds after the page, or when something may have changed.
 */
export function useSessionState() {
  return useSyncExternalStore(subscribe, readState)
}

function readState() {
  return loaded?.$store.atoms['session']?.get() ?? null
}

function subscribe(onChange: () => void): () => void {
  let unsubscribe: (() => void) | undefined
  const follow = () => {
    unsubscribe ??= loaded?.$store.atoms['session']?.listen(onChange)
    onChange()
  }
  listeners.add(follow)
  if (loaded) follow()
  const load = () => void loadAuthClient().catch(() => undefined)
  const isKnown = readPageData()?.user !== undefined
  const timer = setTimeout(load, isKnown ? loadAfterMs : 0)
  for (const name of wakingEvents) window.addEventListener(name, load)
  return () => {
    clearTimeout(timer)
    for (const name of wakingEvents) window.removeEventListener(name, load)
    listeners.delete(follow)
    unsubscribe?.()
  }
}
