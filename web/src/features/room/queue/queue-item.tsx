import { knownDurationMs } from '@earshot/core/sync/duration'
import { ArrowUpToLine, Ellipsis, ExternalLink, GripVertical, Link, Play, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { DrawnEntry } from '../../../engine/state/optimistic.ts'
import { mayViewerRemove } from '../../../engine/state/room-state.ts'
import { sourceNames } from '../../../texts/common.ts'
import { queue as texts } from '../../../texts/queue.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu } from '../../../ui/popups/menu.tsx'
import type { MenuChoice } from '../../../ui/popups/menu-popup.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { SourceIcon } from '../../../ui/music/source-badge.tsx'
import { TrackSource, providerPage } from '../../../ui/music/track-source.tsx'
import { CannotPlayCount, describeUnplayable, useUnplayableReason } from '../playability.tsx'
import { TrackSummary } from '../track-summary.tsx'
import { useAddedBy } from '../use-added-by.ts'
import { useMayQueue } from '../use-may-queue.ts'
import { useRoomState } from '../use-room.ts'
import type { QueueEdits } from './use-queue-edits.ts'

interface QueueItemProps {
  entry: DrawnEntry
  /** How many entries the queue has. */
  count: number
  /** When it starts, such as 'starts in 7 min'; null if unknown or not playing. */
  startsText: string | null
  edits: QueueEdits
  handle: ComponentProps<'button'>
}

/** A queued track with its handle, facts and verbs. */
export function QueueItem({ entry, count, startsText, edits, handle }: QueueItemProps) {
  const addedBy = useAddedBy(entry.added_by, entry.added_by_name ?? null)
  const rights = useRights(entry)
  const choices = listChoices(entry, count, edits, rights)
  return (
    <div className={`flex items-center gap-2 py-2 ${entry.isPending ? 'opacity-60' : ''}`}>
      <button
        type="button"
        aria-label={texts.move(entry.title)}
        title={texts.moveHint}
        disabled={entry.isPending || !rights.mayQueue}
        {...handle}
        className="-mx-1 grid h-10 w-7 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-ink-muted hover:text-ink active:cursor-grabbing disabled:invisible pointer-coarse:h-11 pointer-coarse:w-11"
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <TrackSummary track={entry} durationMs={knownDurationMs(entry)}>
        <p className="flex items-center gap-1.5 text-xs text-ink-muted">
          <Source entry={entry} />
          <span dir="auto" className="line-clamp-2 wrap-anywhere">
            {[startsText, entry.isPending ? texts.adding : addedBy]
              .filter((part) => part !== null)
              .join(' · ')}
          </span>
        </p>
        <Unplayable trackId={entry.id} />
      </TrackSummary>
      {!entry.isPending && choices.length > 0 && (
        <Menu
          trigger={
            <IconButton size="sm" label={texts.menu(entry.title)} className="-me-2 pointer-coarse:size-11">
              <Ellipsis aria-hidden />
            </IconButton>
          }
          choices={choices}
        />
      )}
    </div>
  )
}

function Unplayable({ trackId }: { trackId: string }) {
  const reason = useUnplayableReason(trackId)
  return (
    <>
      {reason !== null && <p className="text-xs text-caution">{describeUnplayable(reason).short}</p>}
      <CannotPlayCount trackId={trackId} />
    </>
  )
}

interface Rights {
  mayControl: boolean
  mayQueue: boolean
  mayRemove: boolean
}

/** Returns the viewer's rights on an entry, for drawing; the server enforces them. */
function useRights(entry: DrawnEntry): Rights {
  const mayControl = useRoomState((state) => state.mayControl)
  const mayQueue = useMayQueue()
  const mayRemove = useRoomState((state) => mayViewerRemove(state, entry))
  return { mayControl, mayQueue, mayRemove: mayQueue && mayRemove }
}

function listChoices(
  entry: DrawnEntry,
  count: number,
  edits: QueueEdits,
  { mayControl, mayQueue, mayRemove }: Rights,
): MenuChoice[] {
  const page = providerPage(entry)
  const choices: (MenuChoice | false)[] = [
    mayControl && { icon: Play, text: texts.playNow, onChoose: () => edits.playEntry(entry) },
    mayQueue &&
      entry.position > 0 && {
        icon: ArrowUpToLine,
        text: texts.playNext,
        onChoose: () => edits.moveEntry(entry, 0, count),
      },
    page !== null && { icon: Link, text: texts.copyLink, onChoose: () => void copyLink(page) },
    page !== null && {
      icon: ExternalLink,
      text: texts.open(sourceNames[entry.source]),
      onChoose: () => void window.open(page, '_blank', 'noopener'),
    },
    mayRemove && { icon: Trash2, text: texts.removeChoice, onChoose: () => edits.removeEntry(entry) },
  ]
  return choices.filter((choice) => choice !== false)
}

async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address)
    notify({ kind: 'success', title: texts.linkCopied })
  } catch {
    notify({ kind: 'error', title: texts.linkFailed, text: address })
  }
}

/** The room's own library needs no name beside its icon, unlike a provider. */
function Source({ entry }: { entry: DrawnEntry }) {
  const icon = entry.source === 'library' && (
    <>
      <SourceIcon source={entry.source} className="size-3.5 shrink-0" />
      <span className="sr-only">{sourceNames[entry.source]}</span>
    </>
  )
  return (
    <TrackSource track={entry} className="shrink-0">
      {icon || undefined}
    </TrackSource>
  )
}
