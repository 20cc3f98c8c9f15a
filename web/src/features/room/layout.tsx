import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { debugTools } from '../../texts/connection-tester.ts'
import { findMusic } from '../../texts/find-music.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { queue } from '../../texts/queue.ts'
import { members, room as roomTexts, roomTabs } from '../../texts/room.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { scrollBehaviour, useMediaQuery } from '../../ui/media-query.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { CardBoundary } from './card-boundary.tsx'
import { Chat } from './chat/chat.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useQueueEdits } from './queue/use-queue-edits.ts'
import { SyncBadge } from './sync/sync-badge.tsx'
import { DebugToggle } from './debug-toggle.tsx'
import { FindMusic } from './find-music/find-music.tsx'
import { openSearchEventName } from './find-music/music-search.tsx'
import { KeyboardSheet, useRoomKeys } from './keyboard.tsx'
import { RoomMembers } from './members/room-members.tsx'
import { NowPlayingBar } from './now-playing/now-playing-bar.tsx'
import { Stage, TrackAnnouncer } from './now-playing/stage.tsx'
import { VideoStage } from './now-playing/video-stage.tsx'
import { QueueCard } from './queue/queue-card.tsx'
import { ReactionFloat } from './reactions/reaction-float.tsx'
import { Reactions } from './reactions/reactions.tsx'
import { RoomHeader } from './room-header.tsx'

// The breakpoints md and lg of styles.css.
const phoneQuery = '(width < 48rem)'
const wideQuery = '(width >= 68rem)'

/** Arranges the parts of a joined room (2.21): columns on a wide screen, tabs on a phone. */
export function RoomLayout() {
  const isPhone = useMediaQuery(phoneQuery)
  const isWide = useMediaQuery(wideQuery)
  const Layout = isPhone ? PhoneRoom : isWide ? WideRoom : TabletRoom
  const [isSheetOpen, setSheetOpen] = useState(false)
  useRoomKeys({ onHelp: () => setSheetOpen(true) })
  return (
    <div className="mt-5 sm:mt-7">
      <RoomHeader onHelp={() => setSheetOpen(true)} />
      <Layout />
      <ConnectionBar />
      <TrackAnnouncer />
      <KeyboardSheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  )
}

// The cards, each with a boundary of its own. The sub-folders do not import each other, so parts are passed in.

function NowPlaying() {
  const badge = (
    <ErrorBoundary
      fallback={(retry) => (
        <Button size="sm" tone="quiet" onClick={retry}>
          {common.tryAgain}
        </Button>
      )}
    >
      <SyncBadge />
    </ErrorBoundary>
  )
  return (
    <CardBoundary title={nowPlaying.title}>
      <div>
        <VideoStage />
        {/* Not over the video, whose provider forbids it. */}
        <div className="relative">
          <Stage badge={badge} />
          <ReactionFloat />
        </div>
        <Reactions />
      </div>
    </CardBoundary>
  )
}

function Queue() {
  return (
    <CardBoundary title={queue.title}>
      <QueueCard />
    </CardBoundary>
  )
}

function AddMusic() {
  const { addTrack } = useQueueEdits()
  return (
    <CardBoundary title={findMusic.title}>
      <FindMusic onAdd={addTrack} />
    </CardBoundary>
  )
}

function ChatCard() {
  return (
    <CardBoundary title={chat.title}>
      <div className="h-120 max-md:h-[max(20rem,calc(100dvh-13.5rem))]">
        <Chat />
      </div>
    </CardBoundary>
  )
}

function Members() {
  return (
    <CardBoundary title={members.title}>
      <RoomMembers />
    </CardBoundary>
  )
}

function Debug() {
  return (
    <CardBoundary title={debugTools.region}>
      <DebugToggle />
    </CardBoundary>
  )
}

function WideRoom() {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,3fr)_minmax(21rem,1fr)] items-start gap-5">
      <div className="flex min-w-0 flex-col gap-5">
        <NowPlaying />
        <Members />
        <ChatCard />
        <Debug />
      </div>
      <aside aria-label={roomTexts.sideColumn} className="flex min-w-0 flex-col gap-5">
        <Queue />
        <AddMusic />
      </aside>
    </div>
  )
}

function TabletRoom() {
  return (
    <div className="mt-6 flex flex-col gap-5">
      <NowPlaying />
      <div className="grid grid-cols-2 gap-5">
        <Queue />
        <AddMusic />
      </div>
      <Members />
      <ChatCard />
      <Debug />
    </div>
  )
}

function PhoneRoom() {
  return (
    <div className="mt-4">
      <NowPlaying />
      <RoomTabs />
      <div className="mt-6">
        <Debug />
      </div>
    </div>
  )
}

/** Shows the queue, search, chat and members one at a time on a phone, below a bar with the current track. */
function RoomTabs() {
  const [tab, setTab] = useState('queue')
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Synchronously: the search field must exist before it is focused.
    const openSearch = () => flushSync(() => setTab('find'))
    window.addEventListener(openSearchEventName, openSearch)
    return () => window.removeEventListener(openSearchEventName, openSearch)
  }, [])
  return (
    <>
      <ErrorBoundary fallback={() => null}>
        <NowPlayingBar />
      </ErrorBoundary>
      <div
        ref={top}
        className="mt-5 min-h-[calc(100dvh-var(--spacing-topbar)-var(--spacing-nowbar))] scroll-mt-[calc(var(--spacing-topbar)+var(--spacing-nowbar))]"
      >
        <Tabs
          label={roomTabs.label}
          value={tab}
          onChange={(next) => {
            setTab(next)
            top.current?.scrollIntoView({ behavior: scrollBehaviour() })
          }}
          listClassName="sticky top-[calc(var(--spacing-topbar)+var(--spacing-nowbar))] z-10 -mx-4 bg-page px-4 py-2"
          tabs={[
            { value: 'queue', title: roomTabs.queue, panel: <Queue /> },
            { value: 'find', title: roomTabs.findMusic, panel: <AddMusic /> },
            { value: 'chat', title: roomTabs.chat, panel: <ChatCard /> },
            { value: 'members', title: roomTabs.members, panel: <Members /> },
          ]}
        />
      </div>
    </>
  )
}
