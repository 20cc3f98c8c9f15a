import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { writeStored } from '../../storage.ts'

type ColourMode = 'dark' | 'light'

// public/first-paint.js reads the same key before the first paint.
const storageKey = 'colourMode:v1'
const lightClass = 'scheme-light'
const root = document.documentElement.classList
const colourMode = createStore<ColourMode>(() => (root.contains(lightClass) ? 'light' : 'dark'))

function applyMode(mode: ColourMode): void {
  root.toggle(lightClass, mode === 'light')
  colourMode.setState(mode, true)
}

window.addEventListener('storage', (event) => {
  if (event.key === storageKey) applyMode(event.newValue === 'light' ? 'light' : 'dark')
})

/** Returns the colour mode, dark by default, and a setter that applies to all tabs and later visits. */
export function useColourMode(): [ColourMode, (mode: ColourMode) => void] {
  return [useStore(colourMode), rememberMode]
}

function rememberMode(mode: ColourMode): void {
  writeStored('device', storageKey, mode)
  applyMode(mode)
}
