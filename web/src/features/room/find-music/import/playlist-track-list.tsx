import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { memo } from 'react'
import { isInQueue, type ImportProgress } from '../../../../engine/import/import-progress.ts'
import { playlistImport as texts } from '../../../../texts/playlist-import.ts'
import { Artwork } from '../../../../ui/music/artwork.tsx'
import { formatClock } from '../../../../ui/music/format-time.ts'
import { ListInSteps } from '../list-in-steps.tsx'
import { describeRestriction } from '../result-item.tsx'
import { isSelected, type TrackSelection } from './track-selection.ts'

interface PlaylistTrackListProps {
  tracks: readonly Track[]
  selection: TrackSelection
  /** The ids of tracks that are on their way into the queue. */
  waiting: ReadonlySet<string>
  outcomes: ImportProgress['outcomes']
  onToggle: (trackId: string) => void
}

/** Lists tracks with a checkbox each, or with the outcome of their import. */
export function PlaylistTrackList({
  tracks,
  selection,
  waiting,
  outcomes,
  onToggle,
}: PlaylistTrackListProps) {
  if (tracks.length === 0) return null
  return (
    <ListInSteps
      label={texts.list}
      className="scroll-list -mx-2 max-h-[min(25rem,42dvh)] px-2"
      items={tracks}
      renderRow={(track) => (
        <TrackRow
          key={track.id}
          track={track}
          isChecked={isSelected(selection, track.id)}
          outcome={waiting.has(track.id) ? 'waiting' : outcomes[track.id]}
          onToggle={onToggle}
        />
      )}
      showMore={texts.showMore}
    />
  )
}

type Outcome = ImportProgress['outcomes'][string] | 'waiting' | undefined

interface TrackRowProps {
  track: Track
  isChecked: boolean
  outcome: Outcome
  onToggle: (trackId: string) => void
}

const TrackRow = memo(function TrackRow({ track, isChecked, outcome, onToggle }: TrackRowProps) {
  const restriction = describeRestriction(track)
  const note = outcome === undefined ? restriction : describeOutcome(outcome)
  const durationMs = knownDurationMs(track)
  const canSelect = note === null
  const isGood = outcome !== undefined && outcome !== 'waiting' && isInQueue(outcome)
  return (
    <li>
      <label className={`flex items-center gap-3 py-2 ${canSelect ? 'cursor-pointer' : ''}`}>
        <input
          type="checkbox"
          checked={canSelect ? isChecked : isGood}
          disabled={!canSelect}
          onChange={() => onToggle(track.id)}
          className="size-5 shrink-0 accent-brand"
        />
        <Artwork
          url={track.album_art}
          alt=""
          size={limits.albumArtSmallPx}
          seed={track.album || track.title}
        />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-sm font-medium">
            {track.title}
          </span>
          <span dir="auto" className="block truncate text-xs text-ink-muted">
            {track.artist}
            {durationMs !== null && ` · ${formatClock(durationMs)}`}
          </span>
          {note !== null && (
            <span className={`block text-xs ${isGood ? 'text-brand-text' : 'text-caution'}`}>{note}</span>
          )}
        </span>
      </label>
    </li>
  )
})

function describeOutcome(outcome: NonNullable<Outcome>): string {
  // A newer server may send further outcomes.
  return outcome === 'waiting' ? texts.waiting : (texts.outcomes[outcome] ?? texts.otherOutcome)
}
