import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
import { WifiOff } from 'lucide-react'
import { common } from '../../texts/common.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useMediaQuery } from '../../ui/page/media-query.ts'
import { noticesPlace } from '../../ui/notices/notices-place.ts'
import { notify } from '../../ui/notices/notify.ts'
import { loadPartsAhead, partOnDemand } from '../../ui/loading/part-on-demand.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { room } from '../../texts/room.ts'
import { Spinner } from '../../ui/loading/spinner.tsx'
import { LatestActivity } from './activity.tsx'
import { CardBoundary } from './card-boundary.tsx'
import { DebugPanel, useDebugTools } from './debug-toggle.tsx'
import { focusMusicSearch } from './find-music/focus-search.ts'
import { useRoomKeys, KeyboardSheet } from './keyboard.tsx'
import { MemberFaces } from './members/members-button.tsx'
import type { PeopleAroundProps } from './members/people-ring.tsx'
import type { ListenModeProps } from './now-playing/listen-mode.tsx'
import { PlayerBar } from './now-playing/player-bar.tsx'
import { SoundNotice } from './now-playing/sound-notices.tsx'
import { BlockedSound, Stage, TrackAnnouncer, VideoStage } from './now-playing/stage.tsx'
import { RoomRail, useRailTab, useUnread } from './rail.tsx'
import { RoomHeader } from './room-header.tsx'
import { SyncBadge } from './sync/sync-badge.tsx'
import { useLostConnection } from './use-lost-connection.ts'
import { useRetryConnection } from './use-room-command.ts'
import { useRoomState } from './use-room.ts'
import { useRootMark } from '../../ui/page/root-mark.ts'

/** Stands beside the cover, and moves nothing when it comes. */
const PeopleAround = onDemand<PeopleAroundProps>(
  async () => (await import('./members/people-ring.tsx')).PeopleAround,
)

/** Fills the screen, so it has no place that could say that its code is missing. */
const ListenMode = partOnDemand<ListenModeProps>(
  async () => (await import('./now-playing/listen-mode.tsx')).ListenMode,
)

/** Loads beside the connection to the room. */
const Reactions = onDemand<{ className?: string | undefined }>(
  async () => (await import('./reactions/reactions.tsx')).Reactions,
  <div className="h-9 pointer-coarse:h-11" />,
)
// A failure is told where they are drawn.
Reactions.loadAhead().catch(() => undefined)

/** A decoration: reactions that come before its code are not seen. */
const ReactionFloat = partOnDemand(async () => (await import('./reactions/reaction-float.tsx')).ReactionFloat)
const floating = <ReactionFloat isWanted />

/**
 * Arranges the parts of a joined room (2.21): header, stage, rail and player bar. From 1024 px, and on a phone on its
 * side, they share the height of the screen and the page does not scroll. One tree for all sizes: only styles differ.
 */
export function RoomLayout() {
  const [isSheetOpen, setSheetOpen] = useState(false)
  const listenMode = useListenMode()
  const [tab, setTab] = useRailTab()
  const unread = useUnread(tab)
  const debug = useDebugTools()
  const [isInviting, setInviting] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const invite = () => setInviting(true)
  usePartsAhead()
  useRootMark('room')
  useNoticesPlace(listenMode.isOpen)
  useRoomKeys({ onHelp: () => setSheetOpen(true), onListen: listenMode.open })
  return (
    <div className="room-grid">
      <RoomHeader
        debug={debug}
        onHelp={() => setSheetOpen(true)}
        invite={{ isOpen: isInviting, onOpenChange: setInviting }}
        memberList={{ isOpen: isListOpen, onOpenChange: setListOpen }}
      />
      <NowPlaying
        onListen={listenMode.open}
        onInvite={invite}
        onDiagnose={debug.diagnose}
        rising={!listenMode.isOpen && floating}
        around={
          <PeopleAround onInvite={invite} onShowAll={() => setListOpen(true)} onDiagnose={debug.diagnose} />
        }
      />
      <DebugPanel {...debug} />
      <RoomRail tab={tab} onChange={setTab} {...unread} />
      <ConnectionBar />
      <ListenModeBoundary onFailed={listenMode.close}>
        <ListenMode
          isWanted={listenMode.isOpen}
          onGivenUp={listenMode.close}
          onClose={listenMode.close}
          faces={<MemberFaces className="text-ink-muted" />}
          rising={floating}
          notices={
            <>
              <ConnectionNotice />
              <SoundNotice />
              <BlockedSound />
            </>
          }
        />
      </ListenModeBoundary>
      <TrackAnnouncer />
      <KeyboardSheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  )
}

/** Closes a listen mode that cannot be drawn, so that it can be opened again, and says so (17.455). */
function ListenModeBoundary({ onFailed, children }: { onFailed: () => void; children: ReactNode }) {
  const close = (retry: () => void) => {
    onFailed()
    retry()
  }
  return (
    <ErrorBoundary fallback={(retry) => <FailedListenMode onFailed={() => close(retry)} />}>
      {children}
    </ErrorBoundary>
  )
}

function FailedListenMode({ onFailed }: { onFailed: () => void }) {
  const close = useEffectEvent(onFailed)
  useEffect(() => {
    notify({ kind: 'error', title: room.partFailed })
    close()
  }, [])
  return null
}

/** The rail is below the stage. */
const isNarrowQuery = '(width < 64rem) and ((width < 40rem) or (height >= 32rem))'

/** Moves the notices over the top bar where they would cover the controls of the room (17.391) or a video (17.392). */
function useNoticesPlace(isListening: boolean): void {
  const isNarrow = useMediaQuery(isNarrowQuery)
  const isVideo = useIsVideo()
  // The listen mode covers the top bar, and has a button there.
  const isTopBar = !isListening && (isNarrow || isVideo)
  useEffect(() => {
    noticesPlace.setState({ isTopBar })
    return () => noticesPlace.setState({ isTopBar: false })
  }, [isTopBar])
}

/** The first sound comes first. */
const partsAheadAfterMs = 8_000

/** Loads what the room needs on demand once it has settled, so that it is there when the server is not. */
function usePartsAhead(): void {
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled([loadPartsAhead(), VideoStage.loadAhead()]),
      partsAheadAfterMs,
    )
    return () => clearTimeout(timer)
  }, [])
}

interface NowPlayingProps {
  onListen: () => void
  onInvite: () => void
  onDiagnose: () => void
  around: ReactNode
  rising: ReactNode
}

/** Stage and player bar are one region, but two places of the grid. */
function NowPlaying({ onListen, onInvite, onDiagnose, around, rising }: NowPlayingProps) {
  const titleId = useId()
  const badge = (
    <ErrorBoundary
      fallback={(retry) => (
        <Button size="sm" tone="quiet" onClick={retry}>
          {common.tryAgain}
        </Button>
      )}
    >
      <SyncBadge onInvite={onInvite} onDiagnose={onDiagnose} />
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
            rising={rising}
          />
        </CardBoundary>
      </div>
      <CardBoundary title={nowPlaying.controls}>
        <PlayerBar badge={badge} />
      </CardBoundary>
    </section>
  )
}

/** There is no space beside the buttons of the stage. */
const isSmallQuery = '(width < 64rem) or (height < 40rem)'

const overTopBar = 'fixed inset-x-2 top-0 z-40 mx-auto h-(--spacing-topbar) w-fit items-center text-xs/4'
const overStage =
  'scheme-dark sticky top-[calc(var(--spacing-topbar)+0.375rem)] z-30 [grid-column:stage] [grid-row:stage-start/rail-end] mx-4 mt-1.5 h-0 items-start justify-center text-sm'

/**
 * Floats over the stage while the room's server cannot be reached, or over the top bar where it would cover a button
 * (17.188) or a video; the layout does not move. The live region stays in the page, empty, because screen readers ignore
 * one that comes together with its text.
 */
function ConnectionBar() {
  const isSmall = useMediaQuery(isSmallQuery)
  const isVideo = useIsVideo()
  return (
    <div aria-live="polite" className={`flex ${isSmall || isVideo ? overTopBar : overStage}`}>
      <ConnectionNotice />
    </div>
  )
}

const useIsVideo = (): boolean => useRoomState((state) => state.heardTrack?.source === 'youtube')

/** Says that the server cannot be reached, and why; nothing while it can. */
function ConnectionNotice() {
  const lost = useLostConnection()
  const retry = useRetryConnection()
  if (lost === null) return null
  const texts = { offline: room.offline, disabled: room.connectionDisabled, reconnecting: room.reconnecting }
  return (
    <div className="flex min-h-12 animate-appear items-center gap-3 rounded-full bg-ink py-2 ps-5 pe-2.5 text-page shadow-lift">
      {lost === 'reconnecting' ? (
        <Spinner className="size-4.5 shrink-0" />
      ) : (
        <WifiOff aria-hidden className="size-4.5 shrink-0" />
      )}
      <span className="pe-2.5">{texts[lost]}</span>
      {lost === 'disabled' && (
        <Button tone="primary" size="sm" onClick={retry}>
          {room.retryConnection}
        </Button>
      )}
    </div>
  )
}

interface ListenModeState {
  isOpen: boolean
  /** Does nothing without a track, or for a video, which nothing may cover. */
  open: () => void
  close: () => void
}

/** Whether the listen mode is open. It ends for good where what comes next cannot be shown in it. */
function useListenMode(): ListenModeState {
  const source = useRoomState((state) => state.heardTrack?.source)
  const canOpen = source !== undefined && source !== 'youtube'
  const [isOpen, setOpen] = useState(false)
  if (isOpen && !canOpen) setOpen(false)
  return { isOpen, open: () => setOpen(canOpen), close: () => setOpen(false) }
}
