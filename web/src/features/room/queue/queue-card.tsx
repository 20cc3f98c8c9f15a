import { History, ListMusic, ListX, Shuffle } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import type { DrawnEntry } from '../../../engine/state/optimistic.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { queue as texts } from '../../../texts/queue.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/popups/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatSpan } from '../../../ui/music/format-time.ts'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { useMayQueue } from '../use-may-queue.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import type { PlayedListProps } from './played-list.tsx'
import type { QueueListProps } from './queue-list.tsx'
import { timeQueue, type QueueTimes } from './queue-times.ts'
import { useQueueEdits } from './use-queue-edits.ts'

const QueueList = onDemand<QueueListProps>(
  async () => (await import('./queue-list.tsx')).QueueList,
  <Skeleton className="h-15 w-full rounded-md" />,
)

const PlayedList = onDemand<PlayedListProps>(async () => (await import('./played-list.tsx')).PlayedList)

/** Lists the upcoming tracks (2.25), or what was played. */
export function QueueCard() {
  const entries = useRoomState((state) => state.queue)
  const total = useRoomState((state) => state.confirmed.queueTotal)
  const [isHistoryShown, setHistoryShown] = useState(false)
  const times = useMemo(() => timeQueue(entries), [entries])
  const edits = useQueueEdits()
  const mayQueue = useMayQueue()
  const mayShuffle = useRoomState((state) => state.mayControl) && mayQueue
  return (
    <Card
      title={isHistoryShown ? texts.played : texts.title}
      aside={
        <span className="flex items-center gap-1">
          {!isHistoryShown && (
            <>
              {entries.length > 0 && (
                <span className="text-sm text-ink-muted">{describeLength(entries.length, times, total)}</span>
              )}
              {mayShuffle && entries.length > 1 && total === null && (
                <HintedButton
                  size="sm"
                  label={texts.shuffle}
                  onClick={() => edits.shuffleQueue(entries)}
                  className="pointer-coarse:size-11"
                >
                  <Shuffle aria-hidden />
                </HintedButton>
              )}
              {mayQueue && total === null && <ClearButton entries={entries} onClear={edits.clearQueue} />}
            </>
          )}
          <HintedButton
            size="sm"
            label={texts.showPlayed}
            aria-pressed={isHistoryShown}
            onClick={() => setHistoryShown(!isHistoryShown)}
            className="aria-pressed:bg-raised aria-pressed:text-ink pointer-coarse:size-11"
          >
            <History aria-hidden />
          </HintedButton>
        </span>
      }
    >
      {isHistoryShown ? (
        <PlayedList onAdd={mayQueue ? edits.addTrack : null} />
      ) : entries.length === 0 ? (
        <EmptyState
          icon={ListMusic}
          title={texts.empty}
          text={mayQueue ? texts.emptyText : errorTexts.guests_cannot_queue}
        />
      ) : (
        <TimedList entries={entries} times={times} edits={edits} />
      )}
    </Card>
  )
}

/** `total`: of a queue whose entries are not all known; otherwise null. */
function describeLength(known: number, { totalMs, isExact }: QueueTimes, total: number | null): string {
  const count = texts.count(total ?? known)
  if (totalMs === 0) return count
  const span = formatSpan(totalMs)
  return texts.total(count, isExact && total === null ? span : texts.atLeast(span))
}

type TimedListProps = Omit<QueueListProps, 'startsTextOf'> & { times: QueueTimes }

/** The list with the time at which each entry starts, which changes as the room plays. */
function TimedList({ times, ...list }: TimedListProps) {
  const { positionNow } = useRoomActions()
  const timeline = useRoomState((state) => state.timeline)
  const nowMs = useNow()
  const { isPlaying, durationMs } = timeline
  const leftMs = useMemo(
    () => (isPlaying && durationMs !== null ? Math.max(0, durationMs - positionNow()) : null),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the position moves with time and with the timeline
    [timeline, nowMs, positionNow],
  )
  const startsTextOf = useCallback(
    (index: number) => {
      const afterMs = times.startsAfterMs[index] ?? null
      return leftMs === null || afterMs === null ? null : texts.startsIn(formatSpan(leftMs + afterMs))
    },
    [leftMs, times],
  )
  return <QueueList {...list} startsTextOf={startsTextOf} />
}

/** Clears the queue after a confirmation: all of it for the owner, the own tracks for any other member. */
function ClearButton({ entries, onClear }: { entries: readonly DrawnEntry[]; onClear: () => void }) {
  const viewerId = useSession().user?.id
  const isOwner = useRoomState((state) => state.isOwner)
  const count = useMemo(
    () => (isOwner ? entries : entries.filter((entry) => entry.added_by === viewerId)).length,
    [entries, isOwner, viewerId],
  )
  const [isOpen, setOpen] = useState(false)
  if (count === 0 && !isOpen) return null
  return (
    <>
      <HintedButton
        size="sm"
        label={isOwner ? texts.clear : texts.clearOwn}
        onClick={() => setOpen(true)}
        className="pointer-coarse:size-11"
      >
        <ListX aria-hidden />
      </HintedButton>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={isOwner ? texts.clearQuestion : texts.clearOwnQuestion}
      >
        <p className="text-ink-muted">{texts.clearText(count)}</p>
        <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
          <Button tone="quiet" onClick={() => setOpen(false)}>
            {texts.keep}
          </Button>
          <Button
            onClick={() => {
              setOpen(false)
              onClear()
            }}
          >
            {isOwner ? texts.clear : texts.clearOwn}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
