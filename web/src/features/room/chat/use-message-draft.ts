import { useEffect } from 'react'
import { useSession } from '../../../api/session.tsx'
import { readTabItem, writeTabItem } from '../../../engine/state/tab-storage.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomRuntime } from '../use-room.ts'

/** Like `useDraft` for the message, which also survives a reload of the tab, and a guest who becomes an account. */
export function useMessageDraft(): ReturnType<typeof useDraft> {
  const { roomId, userId } = useRoomRuntime()
  const [draft, setDraft] = useDraft('message')
  const isGuest = useSession().status === 'guest'
  const guestKey = `draft:v1:guest:${roomId}`
  const key = isGuest ? guestKey : `draft:v1:${userId}:${roomId}`
  useEffect(() => {
    const kept = readTabItem<string>(key) ?? readTabItem<string>(guestKey)
    if (typeof kept !== 'string') return
    setDraft((typed) => (typed === '' ? kept : typed))
    writeTabItem(guestKey, null)
    writeTabItem(key, kept)
  }, [key, guestKey, setDraft])
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
