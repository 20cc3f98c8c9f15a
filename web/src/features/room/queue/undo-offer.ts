import { limits } from '@earshot/core/limits'
import { queue as texts } from '../../../texts/queue.ts'
import { announce } from '../../../ui/notices/announce.ts'
import { notify } from '../../../ui/notices/notify.ts'

export const undoShownMs = 8_000

/** Entries that were removed at once. */
interface Removal {
  count: number
  /** Of the entry, where it is one. */
  title: string
  /** Puts them back. Resolves to how many did not fit. */
  restore: () => Promise<number>
}

type TimedRemoval = Removal & { atMs: number }

/** Whether an entry can be restored for as long as the notice is shown. */
const isRestorable = ({ atMs }: TimedRemoval): boolean =>
  performance.now() - atMs < limits.restoreWindowMs - undoShownMs

/**
 * Returns a function that shows a notice about removed entries, whose Undo restores them, with all that were removed while
 * the notice was shown (17.394, 17.475). `onFailure` gets the first error.
 */
export function createUndoOffer(onFailure: (error: unknown) => void): (removal: Removal) => void {
  let removed: readonly TimedRemoval[] = []
  return (removal) => {
    const latestFirst = [{ ...removal, atMs: performance.now() }, ...removed].filter(isRestorable)
    removed = latestFirst
    const count = latestFirst.reduce((sum, each) => sum + each.count, 0)
    notify({
      kind: 'info',
      ...describe(removal.title, count),
      topic: 'track-removed',
      durationMs: undoShownMs,
      action: { label: texts.undo, run: () => void undo(latestFirst, count, onFailure) },
      onClose() {
        removed = []
      },
    })
  }
}

/** Puts back what was removed, latest first: each had its place among those that were removed after it. */
async function undo(
  latestFirst: readonly Removal[],
  count: number,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const errors: unknown[] = []
  let omitted = 0
  for (const { restore } of latestFirst) {
    try {
      omitted += await restore()
    } catch (error) {
      errors.push(error)
    }
  }
  if (omitted > 0) notify({ kind: 'error', title: texts.failedTitle, text: texts.undoOmitted(omitted) })
  if (errors.length > 0) onFailure(errors[0])
  else if (omitted === 0)
    announce(count === 1 ? texts.undone(latestFirst[0]?.title ?? '') : texts.undoneCount(count))
}

const describe = (title: string, count: number) =>
  count === 1
    ? { title: texts.removedTitle, text: texts.removedText(title) }
    : { title: texts.removedCount(count) }
