import { useEffect } from 'react'
import { readTabItem, writeTabItem } from '../../../engine/state/tab-storage.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomRuntime } from '../use-room.ts'

/** Like `useDraft` for the message, which also survives a reload of the tab. */
export function useMessageDraft(): ReturnType<typeof useDraft> {
  const { roomId, userId } = useRoomRuntime()
  const [draft, setDraft] = useDraft('message')
  const key = `draft:v1:${userId}:${roomId}`
  useEffect(() => {
    const kept = readTabItem<string>(key)
    if (typeof kept === 'string') setDraft((typed) => (typed === '' ? kept : typed))
  }, [key, setDraft])
  return [
    draft,
    (next) =>
      setDraft((before) => {
        const after = typeof next === 'string' ? next : next(before)
        writeTabItem(key, after === '' ? null : after)
        return after
      }),
  ]
}
