import { limits } from '@earshot/core/limits'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import { queue as texts } from '../../../texts/queue.ts'
import { announce } from '../../../ui/notices/announce.ts'
import { notify } from '../../../ui/notices/notify.ts'

export const undoShownMs = 8_000

interface Removal {
  entry: QueueEntry
  atMs: number
}

/** Whether an entry can be restored for as long as the notice is shown. */
const isRestorable = ({ atMs }: Removal): boolean =>
  performance.now() - atMs < limits.restoreWindowMs - undoShownMs

/**
 * Returns a function that shows a notice about a removed entry, whose Undo restores it, with all that were removed while
 * the notice was shown (17.394). `restore` keeps the server's rate; `onFailure` gets the first error.
 */
export function createUndoOffer(
  restore: (entry: QueueEntry) => Promise<void>,
  onFailure: (error: unknown) => void,
): (entry: QueueEntry) => void {
  let removed: readonly Removal[] = []
  return (entry) => {
    const latestFirst = [{ entry, atMs: performance.now() }, ...removed].filter(isRestorable)
    removed = latestFirst
    const { said, undone } = describe(entry, latestFirst.length)
    const undo = async () => {
      const errors: unknown[] = []
      // Each had its place among those that were removed after it.
      for (const each of latestFirst) await restore(each.entry).catch((error: unknown) => errors.push(error))
      if (errors.length > 0) onFailure(errors[0])
      else announce(undone)
    }
    notify({
      kind: 'info',
      ...said,
      topic: 'track-removed',
      durationMs: undoShownMs,
      action: { label: texts.undo, run: () => void undo() },
      onClose() {
        removed = []
      },
    })
  }
}

const describe = (latest: QueueEntry, count: number) =>
  count === 1
    ? {
        said: { title: texts.removedTitle, text: texts.removedText(latest.title) },
        undone: texts.undone(latest.title),
      }
    : { said: { title: texts.removedCount(count) }, undone: texts.undoneCount(count) }
