import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { z } from 'zod'
import { useDraft } from '../../use-draft.tsx'

const shownMusicSchema = z.object({
  /** The path of the library's open page. */
  library: z.string(),
  /** The words of the search whose results were shown instead; empty for none. */
  searched: z.string(),
  /** Whether the entry before is the page from which this one was opened. */
  isOpened: z.boolean(),
})
/** What Find Music shows, in an entry of the browser's history. */
export type ShownMusic = z.infer<typeof shownMusicSchema>

/** Reads what Find Music showed from the state of a history entry; null for an entry without it. */
export function readShownMusic(state: unknown): ShownMusic | null {
  return shownMusicSchema.safeParse(state).data ?? null
}

/** Shows what Find Music showed in an entry of the browser's history when the user returns to it. */
export function useMusicHistory(): void {
  const { key, state } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const [library, setLibrary] = useDraft('library')
  const [searched, setSearched] = useDraft('searched')
  const [, setTyped] = useDraft('search')
  const [, setTab] = useDraft('tab')
  const appliedKey = useRef<string | null>(null)
  useEffect(() => {
    if (appliedKey.current === key) return
    appliedKey.current = key
    const shown = isReturn ? readShownMusic(state) : null
    if (shown === null || (shown.library === library && shown.searched === searched)) return
    setLibrary(shown.library)
    setSearched(shown.searched)
    setTyped(shown.searched)
    setTab('find')
  }, [key, isReturn, state, library, searched, setLibrary, setSearched, setTyped, setTab])
}
