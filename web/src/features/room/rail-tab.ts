import { useState, useSyncExternalStore } from 'react'
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

/** Counts what others wrote since the chat was last on screen, and tells whether the queue changed while it was not. */
export function useUnread(tab: RailTab): { unreadMessages: number; hasQueueChanged: boolean } {
  const isVisible = usePageVisible()
  return {
    unreadMessages: useUnreadMessages(tab === 'chat' && isVisible),
    hasQueueChanged: useQueueChanged(tab === 'queue'),
  }
}

function useUnreadMessages(isShown: boolean): number {
  const messages = useRoomState((state) => state.messages)
  const userId = useRoomState((state) => state.userId)
  const latestMs = messages.at(-1)?.created_at ?? 0
  const [seenMs, setSeenMs] = useState(latestMs)
  if (isShown && seenMs < latestMs) setSeenMs(latestMs)
  if (isShown) return 0
  return messages.filter((message) => message.created_at > seenMs && message.user_id !== userId).length
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

function usePageVisible(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange)
      return () => document.removeEventListener('visibilitychange', onChange)
    },
    () => !document.hidden,
  )
}
