import { createStore } from 'zustand/vanilla'
import { readStored, writeStored } from '../../storage.ts'

const storageKey = 'evenLoudness:v1'

interface EvenLoudness {
  isOn: boolean
  /** By how much it plays the track that was loaded last louder, dB. */
  latest: { trackId: string; gainDb: number } | null
}

/** On unless it was switched off. */
const isOnIn = (text: string | null): boolean => text !== 'off'

/** Whether the tracks of the library are brought to one loudness on this device. */
export const evenLoudness = createStore<EvenLoudness>(() => ({
  isOn: isOnIn(readStored('device', storageKey)),
  latest: null,
}))

// Another tab switched it.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === storageKey) evenLoudness.setState({ isOn: isOnIn(newValue) })
})

/** Switches it on or off for this device. What sounds follows at once. */
export function switchEvenLoudness(isOn: boolean): void {
  writeStored('device', storageKey, isOn ? 'on' : 'off')
  evenLoudness.setState({ isOn })
}
