import {
  createContext,
  use,
  useCallback,
  useState,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from 'react'

/** What the user has typed or chosen in the room's cards, and not sent yet. */
interface Drafts {
  message: string
  /** The text in the field of the music search. */
  search: string
  /** The words of the search whose results are shown; empty: the library. */
  searched: string
  /** The source that was chosen there; empty: none. */
  source: string
  /** The link, or the id of the playlist, whose preview is open; empty: none. */
  preview: string
}

const emptyDrafts: Drafts = { message: '', search: '', searched: '', source: '', preview: '' }

type DraftsState = readonly [Drafts, Dispatch<SetStateAction<Drafts>>]

const DraftsContext = createContext<DraftsState | null>(null)

/** Keeps the drafts of a room while it is open, also when a card is drawn anew in another layout or after an error. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  return <DraftsContext value={useState(emptyDrafts)}>{children}</DraftsContext>
}

/** Like `useState`, for one draft of the room. */
export function useDraft(name: keyof Drafts): [string, Dispatch<SetStateAction<string>>] {
  const state = use(DraftsContext)
  if (!state) throw new Error('useDraft must be used within DraftsProvider')
  const [drafts, setDrafts] = state
  const setDraft = useCallback<Dispatch<SetStateAction<string>>>(
    (next) =>
      setDrafts((before) => ({ ...before, [name]: typeof next === 'string' ? next : next(before[name]) })),
    [name, setDrafts],
  )
  return [drafts[name], setDraft]
}
