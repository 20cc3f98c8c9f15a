import { useState } from 'react'
import { room as roomTexts } from '../../texts.ts'
import { useMediaQuery } from '../../ui/media-query.ts'
import { Chat } from './chat/chat.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { FindMusic } from './find-music/find-music.tsx'
import { KeyboardSheet } from './keyboard.tsx'
import { QueueCard } from './queue/queue-card.tsx'
import { RoomHeader } from './room-header.tsx'
import { RoomMembers } from './members/room-members.tsx'
import { RoomTabs } from './room-tabs.tsx'
import { Stage } from './now-playing/stage.tsx'
import { DebugToggle } from './debug-toggle.tsx'
import { TrackAnnouncer } from './now-playing/track-announcer.tsx'
import { useRoomKeys } from './use-room-keys.ts'

// The breakpoints md and lg of styles.css.
const phoneQuery = '(width < 48rem)'
const wideQuery = '(width >= 68rem)'

/** The room itself (2.21): the stage and what belongs to it, in columns or, on a phone, in tabs. */
export function JoinedRoom() {
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

function WideRoom() {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,3fr)_minmax(21rem,1fr)] items-start gap-5">
      <div className="flex min-w-0 flex-col gap-5">
        <Stage />
        <RoomMembers />
        <Chat />
        <DebugToggle />
      </div>
      <aside aria-label={roomTexts.sideColumn} className="flex min-w-0 flex-col gap-5">
        <QueueCard />
        <FindMusic />
      </aside>
    </div>
  )
}

function TabletRoom() {
  return (
    <div className="mt-6 flex flex-col gap-5">
      <Stage />
      <div className="grid grid-cols-2 gap-5">
        <QueueCard />
        <FindMusic />
      </div>
      <RoomMembers />
      <Chat />
      <DebugToggle />
    </div>
  )
}

function PhoneRoom() {
  return (
    <div className="mt-4">
      <Stage />
      <RoomTabs />
      <div className="mt-6">
        <DebugToggle />
      </div>
    </div>
  )
}
