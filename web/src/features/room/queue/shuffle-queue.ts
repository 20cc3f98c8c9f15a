import type { QueueEntry } from '@earshot/core/protocol/entities'
import { queue as texts } from '../../../texts/queue.ts'
import { announce } from '../../../ui/notices/announce.ts'
import { notify } from '../../../ui/notices/notify.ts'
import { undoShownMs } from './undo-offer.ts'

/** Puts the entries in a random order, and offers to put the one of before back (17.460). */
export function shuffleQueue(
  arrange: (entries: readonly QueueEntry[]) => Promise<void>,
  entries: readonly QueueEntry[],
  onFailure: (error: unknown) => void,
): void {
  const undo = () => arrange(entries).then(() => announce(texts.unshuffled), onFailure)
  arrange(toShuffled(entries)).then(
    () =>
      notify({
        kind: 'info',
        title: texts.shuffled,
        topic: 'queue-shuffled',
        durationMs: undoShownMs,
        action: { label: texts.undo, run: () => void undo() },
      }),
    onFailure,
  )
}

/** Returns the items in a random order; all orders are equally likely. */
function toShuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
