import type { PlayedTrack } from '@earshot/core/protocol/queue-calls'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { History, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { callApi } from '../../../api/call-api.ts'
import { queue as texts } from '../../../texts/queue.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatAgo } from '../../../ui/music/format-time.ts'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { withArrowKeys } from '../../../ui/controls/list-keys.ts'
import { TryAgain } from '../../../ui/controls/try-again.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { TrackSummary } from '../track-summary.tsx'
import { useRoomVisit, useRoomState } from '../use-room.ts'
import type { QueueEdits } from './use-queue-edits.ts'

const playedQuery = (roomId: string) =>
  infiniteQueryOptions({
    queryKey: ['played', roomId],
    queryFn: ({ pageParam: before, signal }) =>
      callApi('GET /api/rooms/:roomId/history', { params: { roomId }, query: { before } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? page.played.at(-1)?.id : undefined),
    // Read again by the list itself.
    refetchOnMount: false,
  })

export interface PlayedListProps {
  /** Null if this user may not add to the queue. */
  onAdd: QueueEdits['addTrack'] | null
}

/** Lists what the room has played, latest first. */
export function PlayedList({ onAdd }: PlayedListProps) {
  const { roomId } = useRoomVisit()
  const currentId = useRoomState((state) => state.confirmed.timeline.trackId)
  const query = useInfiniteQuery(playedQuery(roomId))
  const { refetch } = query
  // In place: the list changes with the current track, and keeps its older tracks, the place and the focus.
  useEffect(() => void refetch(), [refetch, currentId])
  const played = query.data?.pages.flatMap((page) => page.played) ?? []
  if (query.isError && played.length === 0) {
    return <TryAgain title={texts.playedFailed} onRetry={() => void refetch()} />
  }
  if (played.length === 0 && !query.isPending) {
    return <EmptyState icon={History} title={texts.nothingPlayed} text={texts.nothingPlayedText} />
  }
  return (
    <div className="scroll-list -mx-2 min-h-32 flex-1 px-2">
      <ul aria-label={texts.played} aria-busy={query.isPending} ref={withArrowKeys}>
        {played.map((each) => (
          <PlayedItem key={each.id} played={each} onAdd={onAdd} />
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <p role="alert" className="mt-2 px-4 text-sm text-caution">
          {texts.playedFailed}
        </p>
      )}
      {query.hasNextPage && (
        <Button
          size="sm"
          tone="quiet"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.showOlder}
        </Button>
      )}
    </div>
  )
}

function PlayedItem({ played, onAdd }: PlayedListProps & { played: PlayedTrack }) {
  const { track, added_by_name, played_at } = played
  const ago = formatAgo(played_at, useNow())
  return (
    <li className="flex items-center gap-3 py-2">
      <TrackSummary track={track}>
        <p dir="auto" className="truncate text-xs text-ink-muted">
          {added_by_name === null ? ago : `${ago} · ${texts.addedBy(added_by_name)}`}
        </p>
      </TrackSummary>
      {onAdd && (
        <HintedButton size="sm" label={texts.addAgain(track.title)} onClick={() => onAdd(track)}>
          <Plus aria-hidden />
        </HintedButton>
      )}
    </li>
  )
}
