import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useDraft } from '../../use-draft.tsx'
import { goBack, type LibraryPage, openPage, replacePage } from './library-path.ts'
import { readShownMusic, type ShownMusic } from './music-history.ts'

export interface LibraryPages {
  path: string
  open: (place: LibraryPage) => void
  replace: (place: LibraryPage) => void
  back: () => void
}

/** The library's page that is open in this visit, and the way back: each page is an entry of the browser's history. */
export function useLibrary(): LibraryPages {
  const [path, setPath] = useDraft('library')
  const [searched] = useDraft('searched')
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  return useMemo(() => {
    const here = { pathname, search, hash }
    const isOpened = readShownMusic(state)?.isOpened ?? false
    const replaceEntry = (shown: ShownMusic) => void navigate(here, { replace: true, state: shown })
    const replaceWith = (next: string) => {
      replaceEntry({ library: next, searched: '', isOpened })
      setPath(next)
    }
    return {
      path,
      open: (place) => {
        const next = openPage(path, place)
        replaceEntry({ library: path, searched, isOpened })
        void navigate(here, { state: { library: next, searched: '', isOpened: true } satisfies ShownMusic })
        setPath(next)
      },
      replace: (place) => replaceWith(replacePage(path, place)),
      back: () => (isOpened ? void navigate(-1) : replaceWith(goBack(path))),
    }
  }, [path, setPath, searched, navigate, pathname, search, hash, state])
}
