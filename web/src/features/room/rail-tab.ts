import { useState } from 'react'
import { useUnreadMessages } from './chat/use-unread-messages.ts'
import { useDraft } from './use-draft.tsx'
import { useRoomState } from './use-room.ts'

export type RailTab = 'queue' | 'find' | 'chat'

export const isRailTab = (value: unknown): value is RailTab =>
  value === 'queue' || value === 'find' || value === 'chat'

/** Returns the tab of the rail, kept for the visit. It starts with the queue, or with the search in an empty room. */
export function useRailTab(): [RailTab, (tab: RailTab) => void] {
  const [kept, keep] = useDraft('tab')
  const isEmpty = useRoomState((state) => state.track === null && state.queue.length === 0)
  const [first] = useState<RailTab>(isEmpty ? 'find' : 'queue')
  return [isRailTab(kept) ? kept : first, keep]
}

/** Counts what others wrote and the viewer has not seen, and tells whether the queue changed while it was not on screen. */
export function useUnread(tab: RailTab): { unreadMessages: number; hasQueueChanged: boolean } {
  return { unreadMessages: useUnreadMessages(), hasQueueChanged: useQueueChanged(tab === 'queue') }
}

function useQueueChanged(isShown: boolean): boolean {
  const entries = useRoomState((state) => state.queue)
  const [seen, setSeen] = useState(entries)
  if (isShown && seen !== entries) setSeen(entries)
  if (isShown || seen === entries) return false
  return (
    seen.length !== entries.length || seen.some((entry, index) => entry.entry_id !== entries[index]?.entry_id)
  )
}
