import type { Room } from '@earshot/core/protocol/entities'
import { LogOut, Volume2 } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.tsx'
import type { RoomVisit } from '../../engine/room-visit.ts'
import { leaveRoom } from '../../engine/current-visit.ts'
import { resumeVisit } from '../../engine/resume-visit.ts'
import { soundHere, type RoomView } from '../../engine/state/room-state.ts'
import { nowPlaying, syncBadge } from '../../texts/now-playing.ts'
import { room as roomTexts, roomTabs } from '../../texts/room.ts'
import { Artwork } from '../../ui/music/artwork.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { HintedButton } from '../../ui/controls/hinted-button.tsx'
import { noticesPlace } from '../../ui/notices/notices-place.ts'
import { notify } from '../../ui/notices/notify.ts'
import { Announcer } from './activity.tsx'
import { useUnreadMessages } from './chat/use-unread-messages.ts'
import { ProgressLine } from './now-playing/progress-bar.tsx'
import { PauseHereButton } from './now-playing/sound-notices.tsx'
import { PlayButton, VolumeControl } from './now-playing/transport.tsx'
import { VideoStage } from './now-playing/video-stage.tsx'
import { describeUnplayable } from './playability.tsx'
import { useLeaveRoom } from './use-leave-room.ts'
import { useRoomCommand } from './use-room-command.ts'
import { useRoomActions, useRoomState, VisitProvider } from './use-room.ts'
import { useTitlePrefix } from './use-title-prefix.ts'
import { useRootMark } from '../../ui/page/root-mark.ts'

/**
 * The small player bar of the room that the user is in, on all other pages (17.3). Without a visit it goes on with that of the
 * page before.
 */
export function RoomBar({ visit }: { visit: RoomVisit | null }) {
  if (visit === null) return <ResumedVisit />
  return (
    <VisitProvider visit={visit}>
      <ErrorBoundary fallback={() => null}>
        <Bar />
      </ErrorBoundary>
    </VisitProvider>
  )
}

/** Goes on with the visit that the load of another page interrupted (17.453). Draws nothing: the bar does. */
function ResumedVisit() {
  const userId = useSession().user?.id
  useLayoutEffect(() => {
    if (userId !== undefined) resumeVisit(userId)
  }, [userId])
  return null
}

function Bar() {
  const room = useRoomState((state) => state.room)
  const mayControl = useRoomState((state) => state.mayControl)
  const isBlocked = useRoomState(
    (state) => state.isSoundBlocked && soundHere(state) === 'on' && state.track !== null,
  )
  const leave = useLeaveRoom()
  useLostRoom()
  useTitlePrefix()
  useRootMark('roomBar', room !== null)
  useNoticesPlace()
  if (!room) return null
  return (
    <>
      {/* A video may only play where it is seen: above the bar. */}
      <div className="fixed end-4 bottom-[calc(var(--spacing-player)+env(safe-area-inset-bottom)+0.75rem)] z-20 mx-(--notch) w-89 max-sm:end-0">
        <VideoStage />
      </div>
      <section
        aria-label={nowPlaying.miniPlayer}
        className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface px-(--notch) pb-[env(safe-area-inset-bottom)]"
      >
        <div className="relative mx-auto flex h-[calc(var(--spacing-player)-1px)] max-w-360 items-center gap-2 px-4 sm:gap-3 sm:px-6 lg:px-10">
          <RoomLink room={room} />
          {isBlocked && <UnlockButton />}
          {mayControl && <PlayButton size="md" />}
          {/* Not beside the button that unblocks the sound, where they would leave no width to the title. */}
          <div className={`contents ${isBlocked ? 'max-sm:hidden' : ''}`}>
            {!mayControl && <PauseHereButton />}
            <VolumeControl />
          </div>
          <HintedButton size="sm" label={nowPlaying.leave} hint={nowPlaying.leaveHint} onClick={leave}>
            <LogOut aria-hidden />
          </HintedButton>
        </div>
        <ProgressLine />
      </section>
    </>
  )
}

/** Notices would lie over a video where the screen is low (17.392). */
function useNoticesPlace(): void {
  const isTopBar = useRoomState((state) => state.heardTrack?.source === 'youtube')
  useEffect(() => {
    noticesPlace.setState({ isTopBar })
    return () => noticesPlace.setState({ isTopBar: false })
  }, [isTopBar])
}

/** Leads back to the room: its track, and its name or what is wrong there, with the number of unread messages. */
function RoomLink({ room }: { room: Room }) {
  const track = useRoomState((state) => state.track)
  const trouble = useRoomState(describeTrouble)
  return (
    <>
      <Link
        to={`/room/${room.id}`}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-sm sm:gap-3"
      >
        <span className="relative flex shrink-0">
          <Artwork
            url={track?.album_art ?? null}
            alt=""
            size={48}
            seed={track ? track.album || track.title : room.name}
          />
          <UnreadMessages />
        </span>
        <span className="flex min-w-0 flex-col">
          <span dir="auto" className="truncate text-sm font-medium">
            {track?.title ?? nowPlaying.emptyTitle}
          </span>
          {trouble === null ? (
            <span key="room" className="flex gap-1 text-xs text-ink-muted">
              {roomTexts.inRoom} {/* By itself: a name in another script would lose its beginning. */}
              <span dir="auto" className="truncate">
                {room.name}
              </span>
            </span>
          ) : (
            <span key="trouble" className="line-clamp-2 text-xs text-caution">
              {trouble}
            </span>
          )}
        </span>
      </Link>
      <Announcer text={trouble} />
    </>
  )
}

function UnreadMessages() {
  const count = useUnreadMessages()
  if (count === 0) return null
  return (
    <span className="absolute end-0 -top-1 grid h-5 min-w-5 place-items-center rounded-full bg-brand px-1 text-xs font-medium text-on-brand">
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{roomTabs.unread(count)}</span>
    </span>
  )
}

/** Shown while the browser blocks sound. */
function UnlockButton() {
  const { unlockSound } = useRoomActions()
  const run = useRoomCommand()
  return (
    <Button size="sm" tone="primary" onClick={() => run(unlockSound)}>
      <Volume2 aria-hidden className="size-4" />
      {nowPlaying.tapToListen}
    </Button>
  )
}

/** Leaves a room that is gone, or that no longer admits the user, and says so. */
function useLostRoom(): void {
  const isLost = useRoomState((state) => state.phase === 'not_found')
  useEffect(() => {
    if (!isLost) return
    leaveRoom()
    notify({ kind: 'info', title: roomTexts.lostTitle, text: roomTexts.lostText })
  }, [isLost])
}

/** Says in a few words why the room cannot be reached, or is silent on this page; null where all is well. */
function describeTrouble(state: RoomView): string | null {
  const { connection, heardTrack: heard, ownUnplayable, sync, isPlayerMissing } = state
  if (connection !== 'connected') return syncBadge.disconnected
  if (!heard) return null
  const sound = soundHere(state)
  if (sound !== 'on') return nowPlaying.silentHere[sound]
  const reason = ownUnplayable[heard.id]
  if (reason || sync.cause === 'unplayable') return describeUnplayable(reason ?? 'format').badge
  if (isPlayerMissing) return nowPlaying.soundFailed
  // The video says itself what is wrong with it.
  const hasFailed = state.hasSoundFailed || state.isSoundRefused
  return hasFailed && heard.source !== 'youtube' ? nowPlaying.soundFailed : null
}
