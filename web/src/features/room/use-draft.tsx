import { useCallback, type Dispatch, type SetStateAction } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RoomVisit } from '../../engine/room-visit.ts'
import { useRoomVisit } from './use-room.ts'

/** Unsent input in the room's cards. */
interface Drafts {
  message: string
  /** The text in the field of the music search. */
  search: string
  /** The text of the search whose results are shown; empty: the library. */
  searched: string
  /** The source that was chosen there; empty: none. */
  source: string
  /** The pages of the library up to the open one; empty: its home. */
  library: string
  /** The key of the history entry that Find Music last showed; empty: none yet. */
  entry: string
  /** The link, or the id of the playlist, whose preview is open; empty: none. */
  preview: string
  /** The tab of the rail; empty: none was chosen. */
  tab: string
}

const emptyDrafts: Drafts = {
  message: '',
  search: '',
  searched: '',
  source: '',
  library: '',
  entry: '',
  preview: '',
  tab: '',
}

const draftsOfVisits = new WeakMap<RoomVisit, StoreApi<Drafts>>()

/** Returns the drafts of a visit, which outlive the room's page. */
function draftsOf(visit: RoomVisit): StoreApi<Drafts> {
  const known = draftsOfVisits.get(visit)
  if (known) return known
  const drafts = createStore(() => emptyDrafts)
  draftsOfVisits.set(visit, drafts)
  return drafts
}

/** Like `useState`, for one draft of the room; kept for the visit, whatever is drawn. */
export function useDraft(name: keyof Drafts): [string, Dispatch<SetStateAction<string>>] {
  const drafts = draftsOf(useRoomVisit())
  const draft = useStore(drafts, (state) => state[name])
  const setDraft = useCallback<Dispatch<SetStateAction<string>>>(
    (next) => drafts.setState((before) => ({ [name]: typeof next === 'string' ? next : next(before[name]) })),
    [name, drafts],
  )
  return [draft, setDraft]
}
