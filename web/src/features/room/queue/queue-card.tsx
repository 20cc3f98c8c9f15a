import { limits } from '@earshot/core/limits'
import { ListMusic, X } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { queue as texts } from '../../../texts/queue.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { withArrowKeys } from '../../../ui/list-keys.ts'
import { TrackSource } from '../../../ui/track-source.tsx'
import { CannotPlayCount, describeUnplayable, useUnplayableReason } from '../playability.tsx'
import { useRoomState } from '../use-room.ts'
import { useQueueEdits } from './use-queue-edits.ts'
import type { DrawnEntry } from '../../../engine/state/room-state.ts'

/** Lists the upcoming tracks (2.25). */
export function QueueCard() {
  const entries = useRoomState((state) => state.queue)
  const { removeEntry } = useQueueEdits()
  return (
    <Card
      title={texts.title}
      aside={
        entries.length > 0 && <span className="text-sm text-ink-muted">{texts.count(entries.length)}</span>
      }
    >
      {entries.length === 0 ? (
        <EmptyState icon={ListMusic} title={texts.empty} text={texts.emptyText} />
      ) : (
        <ul aria-label={texts.title} ref={withArrowKeys} className="scroll-list -mx-2 min-h-32 flex-1 px-2">
          {entries.map((entry) => (
            <QueueItem key={entry.entry_id} entry={entry} onRemove={() => removeEntry(entry.entry_id)} />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface QueueItemProps {
  entry: DrawnEntry
  onRemove: () => void
}

function QueueItem({ entry, onRemove }: QueueItemProps) {
  const reason = useUnplayableReason(entry.id)
  return (
    <li className={`flex items-center gap-3 py-2 ${entry.isPending ? 'opacity-60' : ''}`}>
      <Artwork url={entry.album_art} alt="" size={limits.albumArtSmallPx} seed={entry.album || entry.title} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{entry.title}</p>
        <p className="truncate text-xs text-ink-muted">{entry.artist}</p>
        <p className="flex items-center gap-1.5 text-xs text-ink-muted">
          <TrackSource track={entry} className="shrink-0" />
          <span className="truncate">
            <AddedBy entry={entry} />
          </span>
        </p>
        {reason !== null && <p className="text-xs text-caution">{describeUnplayable(reason).short}</p>}
        <CannotPlayCount trackId={entry.id} />
      </div>
      {!entry.isPending && (
        <HintedButton size="sm" label={texts.remove(entry.title)} onClick={onRemove}>
          <X aria-hidden />
        </HintedButton>
      )}
    </li>
  )
}

/** Names the member who added the track, while that member is online. */
function AddedBy({ entry }: { entry: DrawnEntry }) {
  const viewerId = useSession().user?.id
  const name = useRoomState((state) => state.members.find((member) => member.id === entry.added_by)?.username)
  if (entry.isPending) return ` · ${texts.adding}`
  if (entry.added_by === viewerId) return ` · ${texts.addedByYou}`
  return name === undefined ? null : ` · ${texts.addedBy(name)}`
}
