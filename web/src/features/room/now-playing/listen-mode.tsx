import { Dialog } from '@base-ui/react/dialog'
import type { Track } from '@earshot/core/protocol/entities'
import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { common } from '../../../texts/common.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Artwork } from '../../../ui/music/artwork.tsx'
import { useCloseWatcher } from '../../../ui/popups/close-watcher.ts'
import { formatClock } from '../../../ui/music/format-time.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { StageBackdrop } from './backdrop.tsx'
import { LiveEqualiser } from './live-equaliser.tsx'
import { ProgressLine, useTicks } from './progress-bar.tsx'
import { useRootMark } from '../../../ui/page/root-mark.ts'

export interface ListenModeProps {
  onClose: () => void
  /** The faces of the people. */
  faces: ReactNode
  /** The reactions that rise over everything. */
  rising: ReactNode
  /** Notices of failures: those of the page below are out of sight and out of reach. */
  notices: ReactNode
}

/** Shows the track on the whole screen, for a room's far end: cover, title, time, what comes next, who listens. */
export function ListenMode({ onClose, faces, rising, notices }: ListenModeProps) {
  const track = useRoomState((state) => state.track)
  useCloseWatcher(true, onClose)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          data-listen-mode
          className="fixed inset-0 isolate z-50 flex flex-col items-center justify-center gap-[3dvh] overflow-hidden bg-page px-[max(1.5rem,var(--notch))] py-6 text-center text-ink scheme-dark transition-opacity duration-200 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 low:flex-row low:gap-8 low:text-start"
        >
          {track && <Listening track={track} faces={faces} onClose={onClose} />}
          {rising}
          <div
            aria-live="polite"
            className="absolute inset-x-16 top-4 z-10 mx-(--notch) flex flex-col items-center gap-2 text-sm"
          >
            {notices}
          </div>
          <Dialog.Close
            render={<IconButton tone="plain" label={common.close} title={common.close} />}
            className="absolute end-4 top-4 mx-(--notch)"
          >
            <X aria-hidden />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ListeningProps extends Omit<ListenModeProps, 'rising' | 'notices'> {
  track: Track
}

function Listening({ track, faces, onClose }: ListeningProps) {
  const next = useRoomState((state) => state.queue[0] ?? null)
  const memberCount = useRoomState((state) => state.memberCount)
  useRootMark('fillsScreen')
  useFullScreen(onClose)
  useWakeLock()
  return (
    <>
      <StageBackdrop url={track.album_art} />
      <Artwork
        url={track.album_art}
        alt={nowPlaying.art(track.title)}
        size="min(86vw, 56dvh)"
        seed={track.album || track.title}
        className="rounded-xl shadow-art"
      />
      <div className="w-full max-w-250 min-w-0">
        <Dialog.Title
          dir="auto"
          className="line-clamp-2 text-display font-semibold tracking-tight wrap-anywhere low:text-2xl"
        >
          {track.title}
        </Dialog.Title>
        <Dialog.Description dir="auto" className="mt-1 truncate text-xl text-ink-muted">
          {track.artist}
        </Dialog.Description>
        <p className="mt-[2dvh] flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-lg tabular-nums low:justify-start">
          <LiveEqualiser className="size-5" />
          <span>
            <Times />
            <span className="text-ink-muted">{` · ${roomTexts.memberCount(memberCount)}`}</span>
          </span>
          {faces}
        </p>
        {next && (
          <p dir="auto" className="mt-2 truncate text-ink-muted">
            {nowPlaying.upNext(next.title, next.artist)}
          </p>
        )}
      </div>
      <ProgressLine />
    </>
  )
}

/** The elapsed time and the duration, written without a render a second. */
function Times() {
  const { positionNow } = useRoomActions()
  const durationMs = useRoomState((state) => state.timeline.durationMs ?? 0)
  const elapsed = useRef<HTMLSpanElement>(null)
  useTicks(() => {
    const text = formatClock(positionNow())
    if (elapsed.current && elapsed.current.textContent !== text) elapsed.current.textContent = text
  })
  return (
    <span dir="ltr">
      <span ref={elapsed} /> /{' '}
      <span>{durationMs > 0 ? formatClock(durationMs) : nowPlaying.unknownTime}</span>
    </span>
  )
}

/** Fills the screen where the browser allows it; leaving full screen, as by Escape, ends the mode. */
function useFullScreen(onEnd: () => void): void {
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  }, [onEnd])
  useEffect(() => {
    const root = document.documentElement
    const follow = () => {
      if (document.fullscreenElement === null) end.current()
    }
    // Refused without a click or key press, and on iPhones: the mode then fills the page only.
    const entering = root.requestFullscreen?.().catch(() => undefined)
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      void entering?.then(
        () => document.fullscreenElement && document.exitFullscreen().catch(() => undefined),
      )
    }
  }, [])
}

/** Keeps the screen on, where there is a wake lock; the browser drops it whenever the page is hidden. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isOver = false
    const acquire = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      try {
        const acquired = await navigator.wakeLock.request('screen')
        if (isOver) await acquired.release()
        else lock = acquired
      } catch {
        // Refused, as on a low battery: the screen turns off as usual.
      }
    }
    void acquire()
    document.addEventListener('visibilitychange', acquire)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', acquire)
      void lock?.release().catch(() => undefined)
    }
  }, [])
}
