import { useMemo } from 'react'
import { useDraft } from '../../use-draft.tsx'
import { goBack, type LibraryPlace, openPlace, replacePlace } from './library-path.ts'

export interface LibraryPages {
  path: string
  open: (place: LibraryPlace) => void
  replace: (place: LibraryPlace) => void
  back: () => void
}

/** The library's page that is open in this visit, and the way back. */
export function useLibrary(): LibraryPages {
  const [path, setPath] = useDraft('library')
  return useMemo(
    () => ({
      path,
      open: (place) => setPath((before) => openPlace(before, place)),
      replace: (place) => setPath((before) => replacePlace(before, place)),
      back: () => setPath(goBack),
    }),
    [path, setPath],
  )
}
