import { createStore } from 'zustand/vanilla'
import { readShortcutsOn, writeShortcutsOn } from '../../engine/device/device-settings.ts'

/** Whether the single-key shortcuts of the room are on, on this device. */
export const shortcuts = createStore(() => ({ areOn: readShortcutsOn() }))

/** Switches the shortcuts on or off, for this device: who dictates or presses keys by accident needs none (WCAG 2.1.4). */
export function switchShortcuts(areOn: boolean): void {
  writeShortcutsOn(areOn)
  shortcuts.setState({ areOn })
}
