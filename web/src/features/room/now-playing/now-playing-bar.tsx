import { limits } from '@earshot/core/limits'
import { useEffect, useRef, useState } from 'react'
import { nowPlaying } from '../../../texts.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { PlayButton } from './play-button.tsx'
import { stageId } from './stage.tsx'
import { useFrames } from './use-frames.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** What plays, in a bar under the top bar, as long as the stage is scrolled away. It lies over the page. */
export function NowPlayingBar() {
  const track = useRoomState((state) => state.track)
  const isStageGone = useIsStageGone()
  if (!track || !isStageGone) return null
  return (
    <section
      aria-label={nowPlaying.miniPlayer}
      className="fixed inset-x-0 top-(--spacing-topbar) z-20 h-(--spacing-nowbar) animate-appear bg-surface text-ink scheme-dark shadow-lift"
    >
      <div className="flex h-full items-center gap-3 px-4">
        <Artwork
          url={track.album_art}
          alt=""
          size={limits.albumArtSmallPx}
          seed={track.album || track.title}
        />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium">{track.title}</p>
          <p className="truncate text-xs text-ink-muted">{track.artist}</p>
        </div>
        <PlayButton size="md" />
      </div>
      <ProgressLine />
    </section>
  )
}

function ProgressLine() {
  const { positionNow } = useRoomActions()
  const durationMs = useRoomState((state) => state.timeline.durationMs)
  const line = useRef<HTMLDivElement>(null)
  useFrames(() => {
    if (!line.current || durationMs <= 0) return
    const scale = `${Math.min(1, positionNow() / durationMs).toFixed(4)} 1`
    if (line.current.style.scale !== scale) line.current.style.scale = scale
  })
  return (
    <div
      ref={line}
      aria-hidden
      className="absolute inset-x-0 bottom-0 h-0.5 origin-left scale-x-0 bg-brand"
    />
  )
}

function useIsStageGone(): boolean {
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    const stage = document.getElementById(stageId)
    if (!stage) return
    const observer = new IntersectionObserver(
      ([entry]) => setGone(entry !== undefined && !entry.isIntersecting),
      {
        // What is under the top bar or would be under this bar is out of sight: --spacing-topbar and --spacing-nowbar.
        rootMargin: '-132px 0px 0px',
      },
    )
    observer.observe(stage)
    return () => observer.disconnect()
  }, [])
  return isGone
}
