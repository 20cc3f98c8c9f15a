import type { QueueEntry, Track } from '@earshot/core/protocol/entities'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { useMemo } from 'react'
import { errorTexts } from '../../../texts/errors.ts'
import { queue as texts } from '../../../texts/queue.ts'
import { announce } from '../../../ui/notices/announce.ts'
import { notify } from '../../../ui/notices/notify.ts'
import { useRoomActions } from '../use-room.ts'
import { shuffleQueue } from './shuffle-queue.ts'
import { createUndoOffer } from './undo-offer.ts'

export interface QueueEdits {
  addTrack: (track: Track) => void
  removeEntry: (entry: QueueEntry) => void
  /** `count`: how many entries the queue has. */
  moveEntry: (entry: QueueEntry, index: number, count: number) => void
  playEntry: (entry: QueueEntry) => void
  clearQueue: () => void
  /** Puts the entries in a random order. */
  shuffleQueue: (entries: readonly QueueEntry[]) => void
}

/** Edits the queue. A change that the viewer sees is only read out; a failure is reverted and shown. */
export function useQueueEdits(): QueueEdits {
  const actions = useRoomActions()
  return useMemo(() => {
    const offerUndo = createUndoOffer((error) => fail(texts.failedTitle, texts.undoFailedText, error))
    return {
      addTrack: (track) =>
        void actions.addTrack(track).then(
          () => announce(texts.addedTitle, texts.addedText(track.title)),
          (error: unknown) => fail(texts.failedTitle, texts.addFailedText, error),
        ),
      removeEntry: (entry) =>
        void actions.removeEntry(entry.entry_id).then(
          () => {
            const restore = async () => {
              await actions.restoreEntry(entry)
              return 0
            }
            offerUndo({ count: 1, title: entry.title, restore })
          },
          (error: unknown) => fail(texts.failedTitle, texts.removeFailedText, error),
        ),
      moveEntry(entry, index, count) {
        announce(texts.movedTo(entry.title, index + 1, count))
        actions
          .moveEntry(entry.entry_id, index)
          .catch((error: unknown) => fail(texts.failedTitle, texts.moveFailedText, error))
      },
      playEntry: (entry) =>
        void actions
          .playEntry(entry.entry_id)
          .catch((error: unknown) => fail(texts.failedTitle, texts.playFailedText, error)),
      clearQueue: () =>
        void actions.clearQueue().then(
          (cleared) => {
            const [first] = cleared.entries
            const restore = () => actions.restoreCleared(cleared)
            if (first) offerUndo({ count: cleared.entries.length, title: first.title, restore })
          },
          (error: unknown) => fail(texts.failedTitle, texts.clearFailedText, error),
        ),
      shuffleQueue: (entries) =>
        shuffleQueue(actions.arrangeQueue, entries, (error) =>
          fail(texts.failedTitle, texts.shuffleFailedText, error),
        ),
    }
  }, [actions])
}

function fail(title: string, text: string, error: unknown): void {
  notify({ kind: 'error', title, text: [text, reasonOf(error)].join(' ').trim() })
}

/** Says why, where the viewer can do something about it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return ''
  if (error.code === 'queue_entry_not_found') return texts.gone
  if (error.code === 'not_owner') return texts.notAllowed
  if (error.code === 'queue_full') return texts.full
  return said.has(error.code) ? errorTexts[error.code] : ''
}

/** The other codes whose texts tell the viewer what to do or expect. */
const said: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'account_required',
  'guests_cannot_queue',
  'library_closed',
  'not_your_entry',
  'rate_limited',
  'too_many_waiting',
  'track_not_found',
])
