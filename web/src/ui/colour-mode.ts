import { useSyncExternalStore } from 'react'
import { writeStored } from '../storage.ts'

export type ColourMode = 'dark' | 'light'

// public/first-paint.js reads the same key before the first paint.
const storageKey = 'colourMode:v1'
const lightClass = 'scheme-light'
const listeners = new Set<() => void>()

function readMode(): ColourMode {
  return document.documentElement.classList.contains(lightClass) ? 'light' : 'dark'
}

function applyMode(mode: ColourMode): void {
  document.documentElement.classList.toggle(lightClass, mode === 'light')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

window.addEventListener('storage', (event) => {
  if (event.key === storageKey) applyMode(event.newValue === 'light' ? 'light' : 'dark')
})

/** Returns the colour mode, dark by default, and a setter that applies to all tabs and later visits. */
export function useColourMode(): [ColourMode, (mode: ColourMode) => void] {
  return [useSyncExternalStore(subscribe, readMode), rememberMode]
}

function rememberMode(mode: ColourMode): void {
  writeStored('device', storageKey, mode)
  applyMode(mode)
}
