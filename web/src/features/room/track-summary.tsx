import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { ReactNode } from 'react'
import { Artwork } from '../../ui/music/artwork.tsx'
import { formatClock } from '../../ui/music/format-time.ts'

interface TrackSummaryProps {
  track: Track
  /** Shown behind the artist; null if unknown. */
  durationMs?: number | null
  /** Further lines. */
  children?: ReactNode
}

/** A track's cover, title and artist, as the lists of a room show it. */
export function TrackSummary({ track, durationMs = null, children }: TrackSummaryProps) {
  return (
    <>
      <Artwork url={track.album_art} alt="" size={limits.albumArtSmallPx} seed={track.album || track.title} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm font-medium">
          {track.title}
        </p>
        <p dir="auto" className="truncate text-xs text-ink-muted">
          {[track.artist, durationMs === null ? '' : formatClock(durationMs)].filter(Boolean).join(' · ')}
        </p>
        {children}
      </div>
    </>
  )
}
