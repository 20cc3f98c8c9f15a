import { limits } from '@earshot/core/limits'
import { X } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { queue as texts } from '../../../texts.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { SourceIcon } from '../../../ui/source-badge.tsx'
import { sourceNames } from '../../../texts.ts'
import type { DrawnEntry } from '../../../engine/state/optimistic.ts'
import { useRoomState } from '../use-room.ts'

interface QueueItemProps {
  entry: DrawnEntry
  onRemove: () => void
}

export function QueueItem({ entry, onRemove }: QueueItemProps) {
  return (
    <li className={`flex items-center gap-3 py-2 ${entry.isPending ? 'opacity-60' : ''}`}>
      <Artwork url={entry.album_art} alt="" size={limits.albumArtSmallPx} seed={entry.album || entry.title} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{entry.title}</p>
        <p className="truncate text-xs text-ink-muted">{entry.artist}</p>
        <p className="flex items-center gap-1.5 text-xs text-ink-muted">
          <SourceIcon source={entry.source} className="size-3.5 shrink-0" />
          <span className="truncate">
            {sourceNames[entry.source]}
            <AddedBy entry={entry} />
          </span>
        </p>
      </div>
      {!entry.isPending && (
        <HintedButton size="sm" label={texts.remove(entry.title)} onClick={onRemove}>
          <X aria-hidden />
        </HintedButton>
      )}
    </li>
  )
}

/** Who added it, as far as they are here. */
function AddedBy({ entry }: { entry: DrawnEntry }) {
  const viewerId = useSession().user?.id
  const name = useRoomState((state) => state.members.find((member) => member.id === entry.added_by)?.username)
  if (entry.isPending) return ` · ${texts.adding}`
  if (entry.added_by === viewerId) return ` · ${texts.addedByYou}`
  return name === undefined ? null : ` · ${texts.addedBy(name)}`
}
