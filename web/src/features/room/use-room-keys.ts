import { useEffect, useEffectEvent } from 'react'
import { focusMusicSearch } from './find-music/focus-music-search.ts'
import { useManualSync } from './sync/use-manual-sync.ts'
import { useRoomCommand } from './use-room-command.ts'
import { useRoomActions, useRoomState } from './use-room.ts'

/** The keys of the room: s, space, m, / and ?; never while somebody types or works a control with the same key. */
export function useRoomKeys({ onHelp }: { onHelp: () => void }): void {
  const { play, pause, setMuted } = useRoomActions()
  const run = useRoomCommand()
  const sync = useManualSync()
  const isOwner = useRoomState((state) => state.isOwner)
  const hasTrack = useRoomState((state) => state.track !== null)
  const isPlaying = useRoomState((state) => state.timeline.isPlaying)
  const isMuted = useRoomState((state) => state.isMuted)
  const actions: Record<string, () => void> = {
    s: sync,
    ' ': () => {
      if (isOwner && hasTrack) run(isPlaying ? pause : play)
    },
    m: () => setMuted(!isMuted),
    '/': focusMusicSearch,
    '?': onHelp,
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = isFree(event) ? actions[event.key.toLowerCase()] : undefined
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

const typing = 'input:not([type="range"], [type="radio"]), textarea, select, [contenteditable="true"]'
const usesSpace = 'button, a, summary, input, [role="button"], [role="tab"], [role="menuitem"]'

/** Whether a key is nobody else's: no typing, no modifier, no open dialog or menu, no button under a space. */
function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(typing) || target?.closest('[role="dialog"], [role="menu"]')) return false
  return event.key !== ' ' || !target?.closest(usesSpace)
}
