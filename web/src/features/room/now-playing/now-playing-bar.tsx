import { limits } from '@earshot/core/limits'
import { useEffect, useState } from 'react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { useRoomState } from '../use-room.ts'
import { ProgressLine } from './progress-bar.tsx'
import { stageId } from './stage.tsx'
import { PlayButton } from './transport.tsx'

/** Shows the current track in a bar below the top bar while the stage is scrolled out of view. */
export function NowPlayingBar() {
  const track = useRoomState((state) => state.track)
  const isStageHidden = useIsStageHidden()
  if (!track || !isStageHidden) return null
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

function useIsStageHidden(): boolean {
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    const stage = document.getElementById(stageId)
    if (!stage) return
    const observer = new IntersectionObserver(
      ([entry]) => setHidden(entry !== undefined && !entry.isIntersecting),
      {
        // The height of the top bar and this bar: --spacing-topbar + --spacing-nowbar.
        rootMargin: '-132px 0px 0px',
      },
    )
    observer.observe(stage)
    return () => observer.disconnect()
  }, [])
  return isHidden
}
