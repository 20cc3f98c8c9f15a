import { useEffect, useId, useState, type ReactNode } from 'react'
import { common } from '../../texts/common.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { Button } from '../../ui/button.tsx'
import { loadPartsAhead } from '../../ui/part-on-demand.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { LatestActivity } from './activity.tsx'
import { CardBoundary } from './card-boundary.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { DebugPanel, useDebugTools } from './debug-toggle.tsx'
import { focusMusicSearch } from './find-music/music-search.tsx'
import { KeyboardSheet } from './keyboard-sheet.tsx'
import { useRoomKeys } from './keyboard.tsx'
import { PeopleAround } from './members/people-ring.tsx'
import { PlayerBar } from './now-playing/player-bar.tsx'
import { Stage, TrackAnnouncer } from './now-playing/stage.tsx'
import { RoomRail } from './rail.tsx'
import { ReactionFloat } from './reactions/reaction-float.tsx'
import { Reactions } from './reactions/reactions.tsx'
import { RoomHeader } from './room-header.tsx'
import { SyncBadge } from './sync/sync-badge.tsx'

import { useRailTab, useUnread } from './rail-tab.ts'

const ListenMode = onDemand<{ onClose: () => void }>(
  async () => (await import('./now-playing/listen-mode.tsx')).ListenMode,
)

/**
 * Arranges the parts of a joined room (2.21): header, stage, rail and player bar. From 1024 px, and on a phone on its
 * side, they share the height of the screen and the page does not scroll. One tree for all sizes: only styles differ.
 */
export function RoomLayout() {
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isListening, setListening] = useState(false)
  const [tab, setTab] = useRailTab()
  const unread = useUnread(tab)
  const debug = useDebugTools()
  const [isInviting, setInviting] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const listen = () => setListening(true)
  const invite = () => setInviting(true)
  usePartsAhead()
  useRoomKeys({ onHelp: () => setSheetOpen(true), onListen: listen })
  return (
    <div data-room className="room-grid">
      <RoomHeader
        debug={debug}
        unreadMessages={unread.unreadMessages}
        onHelp={() => setSheetOpen(true)}
        invite={{ isOpen: isInviting, onOpenChange: setInviting }}
        memberList={{ isOpen: isListOpen, onOpenChange: setListOpen }}
      />
      <NowPlaying
        onListen={listen}
        onInvite={invite}
        around={
          <PeopleAround onInvite={invite} onShowAll={() => setListOpen(true)} onDiagnose={debug.show} />
        }
      />
      <DebugPanel {...debug} />
      <RoomRail tab={tab} onChange={setTab} {...unread} />
      <ConnectionBar />
      {isListening && <ListenMode onClose={() => setListening(false)} />}
      <TrackAnnouncer />
      <KeyboardSheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  )
}

/** The first sound comes first. */
const partsAheadAfterMs = 8_000

/** Loads what the room needs on demand once it has settled, so that it is there when the server is not. */
function usePartsAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadPartsAhead(), partsAheadAfterMs)
    return () => clearTimeout(timer)
  }, [])
}

interface NowPlayingProps {
  onListen: () => void
  onInvite: () => void
  around: ReactNode
}

/** Stage and player bar are one region, but two places of the grid. */
function NowPlaying({ onListen, onInvite, around }: NowPlayingProps) {
  const titleId = useId()
  const badge = (
    <ErrorBoundary
      fallback={(retry) => (
        <Button size="sm" tone="quiet" onClick={retry}>
          {common.tryAgain}
        </Button>
      )}
    >
      <SyncBadge onInvite={onInvite} />
    </ErrorBoundary>
  )
  return (
    <section id="stage" aria-labelledby={titleId} className="contents">
      <div className="relative min-h-0 min-w-0 [grid-area:stage] beside:[scrollbar-width:thin] beside:overflow-y-auto">
        <div className="absolute end-20 top-2.5 z-10 max-w-[50%]">
          <LatestActivity />
        </div>
        <CardBoundary title={nowPlaying.title}>
          <Stage
            titleId={titleId}
            onFindMusic={focusMusicSearch}
            onListen={onListen}
            around={around}
            reactions={(className) => <Reactions className={className} />}
            rising={<ReactionFloat />}
          />
        </CardBoundary>
      </div>
      <CardBoundary title={nowPlaying.controls}>
        <PlayerBar badge={badge} />
      </CardBoundary>
    </section>
  )
}
