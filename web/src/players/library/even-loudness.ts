import { createStore } from 'zustand/vanilla'
import { readStored, writeStored } from '../../storage.ts'

const storageKey = 'evenLoudness:v1'

/** Whether the tracks of the library are brought to one loudness on this device; on unless it was switched off. */
export const evenLoudness = createStore(() => ({ isOn: readStored('device', storageKey) !== 'off' }))

/** Switches it on or off for this device. What sounds follows at once. */
export function switchEvenLoudness(isOn: boolean): void {
  writeStored('device', storageKey, isOn ? 'on' : 'off')
  evenLoudness.setState({ isOn })
}
