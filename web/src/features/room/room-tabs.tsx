import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { roomTabs } from '../../texts.ts'
import { scrollBehaviour } from '../../ui/media-query.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Chat } from './chat/chat.tsx'
import { FindMusic } from './find-music/find-music.tsx'
import { openSearchEventName } from './find-music/focus-music-search.ts'
import { NowPlayingBar } from './now-playing/now-playing-bar.tsx'
import { QueueCard } from './queue/queue-card.tsx'
import { RoomMembers } from './members/room-members.tsx'

/** What is beside the stage, one at a time on a phone, under a bar that keeps what plays in sight. */
export function RoomTabs() {
  const [tab, setTab] = useState('queue')
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // At once, so that the search is there to take the cursor.
    const openSearch = () => flushSync(() => setTab('find'))
    window.addEventListener(openSearchEventName, openSearch)
    return () => window.removeEventListener(openSearchEventName, openSearch)
  }, [])
  return (
    <>
      <NowPlayingBar />
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
            { value: 'queue', title: roomTabs.queue, panel: <QueueCard /> },
            { value: 'find', title: roomTabs.findMusic, panel: <FindMusic /> },
            { value: 'chat', title: roomTabs.chat, panel: <Chat /> },
            { value: 'members', title: roomTabs.members, panel: <RoomMembers /> },
          ]}
        />
      </div>
    </>
  )
}
