import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { Ban, Check, Plus } from 'lucide-react'
import { queuedTrackIds } from '../../../engine/state/optimistic.ts'
import { common } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { queue } from '../../../texts/queue.ts'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { TrackSource } from '../../../ui/music/track-source.tsx'
import { TrackSummary } from '../track-summary.tsx'
import { useRoomState } from '../use-room.ts'

interface ResultItemProps {
  track: Track
  onAdd: (track: Track) => void
}

/** A found track with its add button; one that nobody can play in a room says why instead. */
export function ResultItem({ track, onAdd }: ResultItemProps) {
  const restriction = describeRestriction(track)
  return (
    <li className="flex items-center gap-3 py-2">
      <TrackSummary track={track} durationMs={knownDurationMs(track)}>
        {track.source !== 'library' && <TrackSource track={track} className="text-xs text-ink-muted" />}
        {restriction !== null && (
          <p className="flex items-start gap-1.5 text-xs text-caution">
            <Ban aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            {restriction}
          </p>
        )}
      </TrackSummary>
      <AddButton track={track} onAdd={onAdd} />
    </li>
  )
}

/** Adds a track to the queue; ticked while it is in it, disabled for one that nobody can play. */
export function AddButton({ track, onAdd }: ResultItemProps) {
  const restriction = describeRestriction(track)
  const isQueued = useRoomState((state) => queuedTrackIds(state.queue).has(track.id))
  return (
    <HintedButton
      size="sm"
      label={texts.add(track.title)}
      hint={restriction ?? (isQueued ? queue.inQueueHint : undefined)}
      isDisabled={restriction !== null}
      onClick={() => onAdd(track)}
    >
      {isQueued ? <Check aria-hidden className="text-brand-text" /> : <Plus aria-hidden />}
    </HintedButton>
  )
}

/** Returns why nobody can play a track in a room; null for a playable one. */
export function describeRestriction({ restriction }: Pick<Track, 'restriction'>): string | null {
  if (!restriction) return null
  // A newer server may send further restrictions.
  return texts.restricted[restriction] ?? texts.restrictedOther
}

const skeletonKeys = ['1', '2', '3', '4']

/** Placeholders for results that load. */
export function ResultSkeletons({ count = skeletonKeys.length }: { count?: number }) {
  return (
    <output aria-label={common.loading} className="mt-5 flex flex-col gap-4">
      {skeletonKeys.slice(0, count).map((key) => (
        <span key={key} className="flex items-center gap-3">
          <Skeleton className="size-10" />
          <span className="block flex-1">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="mt-1.5 h-3 w-2/5" />
          </span>
        </span>
      ))}
    </output>
  )
}
