import { useEffect } from 'react'
import { useSession } from '../../../api/session.tsx'
import { readStoredJson, type StorageKey, writeStoredJson } from '../../../storage.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomRuntime } from '../use-room.ts'

/** Like `useDraft` for the message, which also survives a reload of the tab, and a guest who becomes an account. */
export function useMessageDraft(): ReturnType<typeof useDraft> {
  const { roomId, userId } = useRoomRuntime()
  const [draft, setDraft] = useDraft('message')
  const isGuest = useSession().status === 'guest'
  const guestKey: StorageKey = `draft:v1:guest:${roomId}`
  const key: StorageKey = isGuest ? guestKey : `draft:v1:${userId}:${roomId}`
  useEffect(() => {
    const kept = readStoredJson<string>('tab', key) ?? readStoredJson<string>('tab', guestKey)
    if (typeof kept !== 'string') return
    setDraft((typed) => (typed === '' ? kept : typed))
    writeStoredJson('tab', guestKey, null)
    writeStoredJson('tab', key, kept)
  }, [key, guestKey, setDraft])
  return [
    draft,
    (next) =>
      setDraft((before) => {
        const after = typeof next === 'string' ? next : next(before)
        writeStoredJson('tab', key, after === '' ? null : after)
        return after
      }),
  ]
}
