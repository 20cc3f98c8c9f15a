import type { Track } from '@earshot/core/protocol/entities'
import {
  createContext,
  startTransition,
  use,
  useCallback,
  useMemo,
  useOptimistic,
  type ReactNode,
} from 'react'
import { useSession } from '../../../api/session.tsx'
import { queue as queueTexts } from '../../../texts.ts'
import { notify } from '../../../ui/notify.ts'
import { applyEdits, type DrawnEntry, type QueueEdit } from './queue-draft.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

interface QueueDraft {
  entries: DrawnEntry[]
  addTrack: (track: Track) => void
  removeEntry: (entryId: string) => void
}

const QueueDraftContext = createContext<QueueDraft | null>(null)
const noEdits: QueueEdit[] = []

let draftCount = 0
const nextDraftId = () => `draft-${++draftCount}`

/** The queue with the viewer's own edits applied at once; an edit that fails goes back and says so. */
export function QueueDraftProvider({ children }: { children: ReactNode }) {
  const queue = useRoomState((state) => state.queue)
  const hasTrack = useRoomState((state) => state.track !== null)
  const actions = useRoomActions()
  const userId = useSession().user?.id ?? ''
  const [edits, addEdit] = useOptimistic(noEdits, (before: QueueEdit[], edit: QueueEdit) => [...before, edit])

  const addTrack = useCallback(
    (track: Track) => {
      const knownEntryIds = new Set(queue.map((entry) => entry.entry_id))
      startTransition(async () => {
        // Without a current track it becomes the current one instead of queueing up.
        if (hasTrack) addEdit({ type: 'add', track, draftId: nextDraftId(), addedBy: userId, knownEntryIds })
        await addAndTell(track, actions.addTrack)
      })
    },
    [queue, hasTrack, userId, actions, addEdit],
  )
  const removeEntry = useCallback(
    (entryId: string) => {
      startTransition(async () => {
        addEdit({ type: 'remove', entryId })
        await removeAndTell(entryId, actions.removeEntry)
      })
    },
    [actions, addEdit],
  )
  const draft = useMemo(
    () => ({ entries: applyEdits(queue, edits), addTrack, removeEntry }),
    [queue, edits, addTrack, removeEntry],
  )
  return <QueueDraftContext value={draft}>{children}</QueueDraftContext>
}

/** The queue to draw, and how to change it. */
export function useQueueDraft(): QueueDraft {
  const draft = use(QueueDraftContext)
  if (!draft) throw new Error('useQueueDraft must be used within QueueDraftProvider')
  return draft
}

async function addAndTell(track: Track, add: (track: Track) => Promise<void>): Promise<void> {
  try {
    await add(track)
    const text = queueTexts.addedText(track.title)
    notify({ kind: 'success', title: queueTexts.addedTitle, text, topic: 'track-added' })
  } catch {
    notify({ kind: 'error', title: queueTexts.addFailedTitle, text: queueTexts.addFailedText })
  }
}

async function removeAndTell(entryId: string, remove: (entryId: string) => Promise<void>): Promise<void> {
  try {
    await remove(entryId)
  } catch {
    notify({ kind: 'error', title: queueTexts.removeFailedTitle, text: queueTexts.removeFailedText })
  }
}
