import { useEffect, useEffectEvent } from 'react'
import { keyboard } from '../../texts/room.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { focusMusicSearch } from './find-music/music-search.tsx'
import { useReactionKeys } from './reactions/use-reactions.ts'
import { useManualSync, useRoomCommand } from './use-room-command.ts'
import { useRoomActions, useRoomState } from './use-room.ts'

/** Lists the keyboard shortcuts of the room. */
export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={keyboard.title}>
      <dl className="flex flex-col gap-3">
        {keyboard.keys.map(({ key, does }) => (
          <div key={key} className="flex items-center justify-between gap-6">
            <dt className="order-last">
              <kbd className="inline-grid h-8 min-w-8 place-items-center rounded-sm bg-raised px-2.5 font-sans text-sm font-medium ring-1 ring-line ring-inset">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Handles the shortcuts s, space, m, / and ?, except while typing or on a control that uses the same key. */
export function useRoomKeys({ onHelp }: { onHelp: () => void }): void {
  const { play, pause, setMuted } = useRoomActions()
  const run = useRoomCommand()
  const sync = useManualSync()
  const isOwner = useRoomState((state) => state.isOwner)
  const hasTrack = useRoomState((state) => state.track !== null)
  const isPlaying = useRoomState((state) => state.timeline.isPlaying)
  const isMuted = useRoomState((state) => state.isMuted)
  const actions: Record<string, () => void> = {
    ...useReactionKeys(),
    s: sync,
    ' ': () => {
      if (isOwner && hasTrack) run(isPlaying ? pause : play)
    },
    m: () => setMuted(!isMuted),
    '/': focusMusicSearch,
    '?': onHelp,
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = isShortcut(event) ? actions[event.key.toLowerCase()] : undefined
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

const textInputs = 'input:not([type="range"], [type="radio"]), textarea, select, [contenteditable="true"]'
const spaceControls = 'button, a, summary, input, [role="button"], [role="tab"], [role="menuitem"]'

/** Whether a key press is free for a shortcut: no text input, modifier, dialog, menu, or control that takes space. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(textInputs) || target?.closest('[role="dialog"], [role="menu"]')) return false
  return event.key !== ' ' || !target?.closest(spaceControls)
}
