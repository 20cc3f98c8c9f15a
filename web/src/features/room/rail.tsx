import { Tabs } from '@base-ui/react/tabs'
import { useEffect, useRef, type ReactNode, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { ListMusic } from 'lucide-react'
import { chat } from '../../texts/chat.ts'
import { errorTexts } from '../../texts/errors.ts'
import { findMusic } from '../../texts/find-music.ts'
import { queue } from '../../texts/queue.ts'
import { room as roomTexts, roomTabs } from '../../texts/room.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { scrollBehaviour } from '../../ui/page/media-query.ts'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Announcer } from './activity.tsx'
import { CardBoundary } from './card-boundary.tsx'
import { openSearchEventName } from './find-music/focus-search.ts'
import { QueueCard } from './queue/queue-card.tsx'
import { useQueueEdits } from './queue/use-queue-edits.ts'
import { useUnreadMessages } from './chat/use-unread-messages.ts'
import { useMayQueue } from './use-may-queue.ts'
import { useDraft } from './use-draft.tsx'
import { useRoomState } from './use-room.ts'

export type RailTab = 'queue' | 'find' | 'chat'

const isRailTab = (value: unknown): value is RailTab =>
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
  const isWhole = useRoomState((state) => state.confirmed.queueTotal === null)
  const [seen, setSeen] = useState({ entries, isWhole })
  // The rest of a long queue is no change.
  const isSeen = isShown || !isWhole || !seen.isWhole
  if (isSeen && (seen.entries !== entries || seen.isWhole !== isWhole)) setSeen({ entries, isWhole })
  if (isSeen || seen.entries === entries) return false
  return (
    seen.entries.length !== entries.length ||
    seen.entries.some((entry, index) => entry.entry_id !== entries[index]?.entry_id)
  )
}

/** Loads after the first screen, which shows another tab. */
const Chat = onDemand(
  async () => {
    const { Chat: LoadedChat } = await import('./chat/chat.tsx')
    // Within the boundary of `onDemand`, which speaks of code that could not be loaded.
    return () => (
      <CardBoundary title={chat.title}>
        <LoadedChat />
      </CardBoundary>
    )
  },
  <Card title={chat.title} isTitleHidden className="h-full min-h-0">
    <Skeleton className="h-full w-full" />
  </Card>,
)

/** Loads beside the connection to the room, as an empty room shows it first; playing does not wait for it. */
const FindMusic = onDemand(
  async () => (await import('./find-music/find-music.tsx')).FindMusic,
  <Card title={findMusic.title} isTitleHidden>
    <Skeleton className="h-full w-full" />
  </Card>,
)
// A failure is told where it is drawn.
FindMusic.loadAhead().catch(() => undefined)

interface RoomRailProps {
  tab: RailTab
  onChange: (tab: RailTab) => void
  unreadMessages: number
  hasQueueChanged: boolean
}

/**
 * Shows queue, music search and chat, one at a time. All stay mounted, so that nothing typed or scrolled is lost. On a
 * narrow screen the tabs are at the bottom, above the player bar.
 */
export function RoomRail({ tab, onChange, unreadMessages, hasQueueChanged }: RoomRailProps) {
  const rail = useRef<HTMLElement>(null)
  useEffect(() => {
    // Synchronously: a hidden field cannot be focused.
    const openSearch = () => flushSync(() => onChange('find'))
    window.addEventListener(openSearchEventName, openSearch)
    return () => window.removeEventListener(openSearchEventName, openSearch)
  }, [onChange])
  useRailAfterTurning(rail)
  const bringIntoView = () => rail.current?.scrollIntoView({ block: 'end', behavior: scrollBehaviour() })
  const show = (next: unknown) => {
    if (!isRailTab(next)) return
    onChange(next)
    bringIntoView()
  }
  return (
    <aside
      ref={rail}
      aria-label={roomTexts.sideColumn}
      className="min-h-0 min-w-0 scroll-mb-[calc(var(--spacing-player)+var(--spacing-tabs))] [grid-area:rail] beside:border-s beside:border-line"
    >
      <ChatAnnouncer isChatShown={tab === 'chat'} />
      <Tabs.Root value={tab} onValueChange={show} className="flex flex-col beside:h-full">
        <Tabs.List
          aria-label={roomTabs.label}
          // The tab that is chosen already is below the stage on a phone.
          onClick={bringIntoView}
          className="z-20 flex h-(--spacing-tabs) shrink-0 bg-surface px-2 beside:border-b beside:border-line stacked:fixed stacked:inset-x-0 stacked:bottom-[calc(var(--spacing-player)+env(safe-area-inset-bottom))] stacked:border-t stacked:border-line low:h-11"
        >
          <RailTabButton
            value="queue"
            title={roomTabs.queue}
            note={hasQueueChanged ? roomTabs.changed : null}
          />
          <RailTabButton value="find" title={roomTabs.findMusic} note={null} />
          <RailTabButton
            value="chat"
            title={roomTabs.chat}
            note={unreadMessages > 0 ? roomTabs.unread(unreadMessages) : null}
          />
        </Tabs.List>
        <RailPanel value="queue">
          <CardBoundary title={queue.title}>
            <QueueCard />
          </CardBoundary>
        </RailPanel>
        <RailPanel value="find">
          <CardBoundary title={findMusic.title}>
            <AddMusic />
          </CardBoundary>
        </RailPanel>
        <RailPanel value="chat">
          <Chat />
        </RailPanel>
      </Tabs.Root>
    </aside>
  )
}

interface RailTabButtonProps {
  value: RailTab
  title: string
  /** The news behind it, for screen readers beside the dot; null without any. */
  note: string | null
}

function RailTabButton({ value, title, note }: RailTabButtonProps) {
  return (
    <Tabs.Tab
      value={value}
      className="flex min-w-0 flex-auto items-center justify-center border-transparent px-1.5 text-sm font-medium whitespace-nowrap text-ink-muted transition-colors select-none hover:text-ink data-active:border-brand-text data-active:text-ink beside:-mb-px beside:border-b-2 stacked:border-t-2"
    >
      <span className="relative">
        {title}
        {note !== null && (
          <>
            <span
              aria-hidden
              className="absolute -end-2 top-0 size-1.5 rounded-full bg-brand-text forced-color-adjust-none"
            />
            <span className="sr-only">{`, ${note}`}</span>
          </>
        )}
      </span>
    </Tabs.Tab>
  )
}

function RailPanel({ value, children }: { value: RailTab; children: ReactNode }) {
  return (
    <Tabs.Panel
      value={value}
      keepMounted
      className="min-h-60 outline-offset-[-2px] *:relative *:h-full *:overflow-y-auto *:rounded-none *:ring-0 beside:min-h-0 beside:flex-1 stacked:h-[calc(100dvh-var(--spacing-topbar)-var(--spacing-player)-var(--spacing-tabs)-env(safe-area-inset-bottom))] low:*:p-3"
    >
      {children}
    </Tabs.Panel>
  )
}

/** Reads out what others write while the log of the chat is hidden, which screen readers therefore ignore. */
export function ChatAnnouncer({ isChatShown }: { isChatShown: boolean }) {
  const unread = useUnreadMessages()
  const latest = useRoomState((state) => state.messages.findLast(({ user_id: id }) => id !== state.userId))
  const line = latest && `${latest.username}: ${latest.content}`
  const text = unread > 1 ? `${roomTabs.unread(unread)}. ${line}` : line
  return <Announcer text={isChatShown || unread === 0 ? null : (text ?? null)} />
}

function AddMusic() {
  const { addTrack } = useQueueEdits()
  if (useMayQueue()) return <FindMusic onAdd={addTrack} />
  return (
    <Card title={findMusic.title} isTitleHidden>
      <EmptyState icon={ListMusic} title={errorTexts.guests_cannot_queue} />
    </Card>
  )
}

/** Scrolls back to the rail when a phone that showed it is turned and turned back: on its side the page does not scroll. */
function useRailAfterTurning(rail: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const room = rail.current?.closest('.room-grid')
    // Not by the document's height: an open popover may add to it until it is placed anew.
    const canScroll = () => room !== null && room !== undefined && room.clientHeight > window.innerHeight
    let couldScroll = canScroll()
    let wasInSight = false
    const noteSight = () => {
      // Turning the phone scrolls, too, before the resize event.
      if (!rail.current || !canScroll() || !couldScroll) return
      wasInSight = rail.current.getBoundingClientRect().top < window.innerHeight / 2
    }
    const onResize = () => {
      // Only then: browsers also resize the page as their bars come and go while it is scrolled.
      if (canScroll() && !couldScroll && wasInSight) rail.current?.scrollIntoView({ block: 'end' })
      couldScroll = canScroll()
    }
    window.addEventListener('scroll', noteSight, { passive: true })
    window.addEventListener('resize', onResize)
    return () => {
      window.removeEventListener('scroll', noteSight)
      window.removeEventListener('resize', onResize)
    }
  }, [rail])
}
