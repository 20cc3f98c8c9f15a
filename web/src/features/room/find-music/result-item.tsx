import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { Plus } from 'lucide-react'
import { findMusic as texts } from '../../../texts.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { formatClock } from '../../../ui/format-time.ts'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { useQueueEdits } from '../queue/use-queue-edits.ts'

export function ResultItem({ track }: { track: Track }) {
  const { addTrack } = useQueueEdits()
  return (
    <li className="flex items-center gap-3 py-2">
      <Artwork url={track.album_art} alt="" size={limits.albumArtSmallPx} seed={track.album || track.title} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{track.title}</p>
        <p className="truncate text-xs text-ink-muted">
          {track.artist}
          {track.duration > 0 && ` · ${formatClock(track.duration)}`}
        </p>
      </div>
      <HintedButton size="sm" label={texts.add(track.title)} onClick={() => addTrack(track)}>
        <Plus aria-hidden />
      </HintedButton>
    </li>
  )
}
