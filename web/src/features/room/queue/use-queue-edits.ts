import type { Track } from '@earshot/core/protocol/entities'
import { useMemo } from 'react'
import { queue as texts } from '../../../texts/queue.ts'
import { notify } from '../../../ui/notify.ts'
import { useRoomActions } from '../use-room.ts'

interface QueueEdits {
  addTrack: (track: Track) => void
  removeEntry: (entryId: string) => void
}

/** Edits the queue, with a notice for an added track and for a failure. */
export function useQueueEdits(): QueueEdits {
  const { addTrack, removeEntry } = useRoomActions()
  return useMemo(
    () => ({
      addTrack: (track) =>
        void addTrack(track).then(
          () => {
            const text = texts.addedText(track.title)
            notify({ kind: 'success', title: texts.addedTitle, text, topic: 'track-added' })
          },
          () => notify({ kind: 'error', title: texts.addFailedTitle, text: texts.addFailedText }),
        ),
      removeEntry: (entryId) =>
        void removeEntry(entryId).catch(() =>
          notify({ kind: 'error', title: texts.removeFailedTitle, text: texts.removeFailedText }),
        ),
    }),
    [addTrack, removeEntry],
  )
}
