import { limits } from '@earshot/core/limits'
import { ListMusic } from 'lucide-react'
import { queue as texts } from '../../../texts.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { withArrowKeys } from '../../../ui/list-keys.ts'
import { useRoomState } from '../use-room.ts'
import { QueueItem } from './queue-item.tsx'
import { useQueueEdits } from './use-queue-edits.ts'

/** What comes next (2.25). */
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
        <ul
          aria-label={texts.title}
          ref={withArrowKeys}
          style={{ maxHeight: limits.queueListHeightPx }}
          className="-mx-2 scroll-list px-2"
        >
          {entries.map((entry) => (
            <QueueItem key={entry.entry_id} entry={entry} onRemove={() => removeEntry(entry.entry_id)} />
          ))}
        </ul>
      )}
    </Card>
  )
}
