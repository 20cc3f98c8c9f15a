import { limits } from '@earshot/core/limits'
import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../storage.ts'

const draftKey = 'room-draft:v1'

interface RoomDraft {
  name: string
  privacy: 'public' | 'private'
}

type StoredDraft = RoomDraft & { userId: string }

const emptyDraft: RoomDraft = { name: '', privacy: limits.newRoomIsPublic ? 'public' : 'private' }

/**
 * What a user typed for a new room, without the password. The tab keeps it until the room is created: a session that has
 * ended leads to login first.
 */
export function useRoomDraft(userId: string) {
  const [draft, setDraft] = useState(() => {
    const stored = readStoredJson<StoredDraft>('tab', draftKey)
    return stored?.userId === userId ? stored : emptyDraft
  })
  const change = (part: Partial<RoomDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    writeStoredJson('tab', draftKey, { ...next, userId } satisfies StoredDraft)
  }
  const forget = () => void writeStoredJson('tab', draftKey, null)
  return { ...draft, change, forget }
}
