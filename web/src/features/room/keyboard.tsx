import { useEffect, useEffectEvent } from 'react'
import { keyboard } from '../../texts/room.ts'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { focusMusicSearch } from './find-music/focus-search.ts'
import { useReactionKeys } from './reactions/use-reactions.ts'
import { shortcuts } from './shortcuts.ts'
import { useManualSync, useRoomCommand } from './use-room-command.ts'
import { useRoomActions, useRoomState } from './use-room.ts'

interface RoomKeysProps {
  onHelp: () => void
  onListen: () => void
}

/**
 * Handles the shortcuts s, space, m, f, / and ?, unless they are switched off, except while typing or on a control
 * that uses the same key.
 */
export function useRoomKeys({ onHelp, onListen }: RoomKeysProps): void {
  const { play, pause, setMuted } = useRoomActions()
  const run = useRoomCommand()
  const sync = useManualSync()
  const mayControl = useRoomState((state) => state.mayControl)
  const hasTrack = useRoomState((state) => state.track !== null)
  const isPlaying = useRoomState((state) => state.isPlayingOrCued)
  const isMuted = useRoomState((state) => state.isMuted)
  const actions: Record<string, () => void> = {
    ...useReactionKeys(),
    s: sync,
    ' ': () => {
      if (mayControl && hasTrack) run(isPlaying ? pause : play)
    },
    m: () => setMuted(!isMuted),
    f: onListen,
    '/': focusMusicSearch,
    '?': onHelp,
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = shortcuts.getState().areOn && isShortcut(event) ? actions[keyOf(event)] : undefined
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** Returns the key by its label, or by its place on an English keyboard where the layout is of another script. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (/^[\p{ASCII}\p{Script=Latin}]/u.test(key)) return key.toLowerCase()
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return code.replace(/^(Key|Digit)/, '').toLowerCase()
}

const textInputs = 'input:not([type="range"], [type="radio"]), textarea, select, [contenteditable="true"]'
const spaceControls = 'button, a, summary, input, [role="button"], [role="tab"], [role="menuitem"]'

/** Whether a key press is free for a shortcut: no text input, modifier, dialog, menu, or control that takes space. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(textInputs) || target?.closest('[role="dialog"], [role="menu"]')) return false
  return event.key !== ' ' || !target?.closest(spaceControls)
}

const ShortcutList = onDemand(async () => (await import('./shortcut-list.tsx')).ShortcutList)

/** The dialog with the keyboard shortcuts. */
export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={keyboard.title}>
      <ShortcutList />
    </Dialog>
  )
}
