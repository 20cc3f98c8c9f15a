import { LogOut, Volume2 } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { RoomRuntime } from '../../engine/room-runtime.ts'
import { leaveRoom } from '../../engine/room-visit.ts'
import { soundHere } from '../../engine/state/room-state.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { room as roomTexts } from '../../texts/room.ts'
import { Artwork } from '../../ui/artwork.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { HintedButton } from '../../ui/hinted-button.tsx'
import { notify } from '../../ui/notify.ts'
import { ProgressLine } from './now-playing/progress-bar.tsx'
import { PauseHereButton } from './now-playing/sound-notices.tsx'
import { PlayButton, VolumeControl } from './now-playing/transport.tsx'
import { VideoStage } from './now-playing/video-stage.tsx'
import { useLeaveRoom } from './use-leave-room.ts'
import { useRoomCommand } from './use-room-command.ts'
import { useRoomActions, useRoomState, VisitProvider } from './use-room.ts'
import { useRootMark } from '../../ui/root-mark.ts'

/** The small player bar of the room that the user is in, on all other pages (17.3). */
export function RoomBar({ visit }: { visit: RoomRuntime }) {
  return (
    <VisitProvider visit={visit}>
      <ErrorBoundary fallback={() => null}>
        <Bar roomId={visit.roomId} />
      </ErrorBoundary>
    </VisitProvider>
  )
}

function Bar({ roomId }: { roomId: string }) {
  const room = useRoomState((state) => state.room)
  const track = useRoomState((state) => state.track)
  const mayControl = useRoomState((state) => state.mayControl)
  const leave = useLeaveRoom()
  useLostRoom()
  useRootMark('roomBar', room !== null)
  if (!room) return null
  return (
    <>
      {/* A video may only play where it is seen: above the bar. */}
      <div className="fixed end-4 bottom-[calc(var(--spacing-player)+env(safe-area-inset-bottom)+0.75rem)] z-20 w-89 max-sm:end-0">
        <VideoStage />
      </div>
      <section
        aria-label={nowPlaying.miniPlayer}
        className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
      >
        <div className="relative mx-auto flex h-[calc(var(--spacing-player)-1px)] max-w-360 items-center gap-2 px-4 sm:gap-3 sm:px-6 lg:px-10">
          <Artwork
            url={track?.album_art ?? null}
            alt=""
            size={48}
            seed={track ? track.album || track.title : room.name}
          />
          <Link
            to={`/room/${roomId}`}
            className="flex min-h-11 min-w-0 flex-1 flex-col justify-center rounded-sm"
          >
            <span dir="auto" className="block truncate text-sm font-medium">
              {track?.title ?? nowPlaying.emptyTitle}
            </span>
            <span className="flex gap-1 text-xs text-ink-muted">
              {roomTexts.inRoom} {/* By itself: a name in another script would lose its beginning. */}
              <span dir="auto" className="truncate">
                {room.name}
              </span>
            </span>
          </Link>
          <UnlockButton />
          {mayControl ? <PlayButton size="md" /> : <PauseHereButton />}
          <VolumeControl />
          <HintedButton size="sm" label={nowPlaying.leave} hint={nowPlaying.leaveHint} onClick={leave}>
            <LogOut aria-hidden />
          </HintedButton>
        </div>
        <ProgressLine />
      </section>
    </>
  )
}

/** Shown while the browser blocks sound. */
function UnlockButton() {
  const { unlockSound } = useRoomActions()
  const run = useRoomCommand()
  const isShown = useRoomState(
    (state) => state.isSoundBlocked && soundHere(state) === 'on' && state.track !== null,
  )
  if (!isShown) return null
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
