import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useDraft } from '../../use-draft.tsx'

/** The view of Find Music, as stored in an entry of the browser's history. */
export interface ShownMusic {
  /** The path of the library's open page. */
  library: string
  /** The text of the search whose results were shown instead; empty for none. */
  searched: string
  /** Whether the entry before is the page from which this one was opened. */
  isOpened: boolean
}

/** Reads what Find Music showed from the state of a history entry; null for an entry without it. */
export function readShownMusic(state: unknown): ShownMusic | null {
  // Without zod, which a room does not load.
  const { library, searched, isOpened } = (state ?? {}) as Record<keyof ShownMusic, unknown>
  const isShownMusic =
    typeof library === 'string' && typeof searched === 'string' && typeof isOpened === 'boolean'
  return isShownMusic ? { library, searched, isOpened } : null
}

/** Shows what Find Music showed in an entry of the browser's history when the user returns to it. */
export function useMusicHistory(): void {
  const { key, state } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const [library, setLibrary] = useDraft('library')
  const [searched, setSearched] = useDraft('searched')
  const [, setTyped] = useDraft('search')
  const [, setTab] = useDraft('tab')
  // Kept for the visit: the way back from another page leads to the entry that is shown already.
  const [shownKey, setShownKey] = useDraft('entry')
  useEffect(() => {
    if (shownKey === key) return
    setShownKey(key)
    const shown = isReturn ? readShownMusic(state) : null
    if (shown === null || (shown.library === library && shown.searched === searched)) return
    setLibrary(shown.library)
    setSearched(shown.searched)
    setTyped(shown.searched)
    setTab('find')
  }, [
    key,
    isReturn,
    state,
    shownKey,
    library,
    searched,
    setShownKey,
    setLibrary,
    setSearched,
    setTyped,
    setTab,
  ])
}
