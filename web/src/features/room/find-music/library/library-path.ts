/** A page of the library. `from`: the letter at which a list starts; empty for all. */
export type LibraryPage =
  | { kind: 'home' }
  | { kind: 'albums' | 'artists'; from: string }
  | { kind: 'album' | 'artist'; id: string }

/**
 * The pages from the library's home to the one that is open, as a text, so that the visit keeps it with what was typed.
 * Such as 'artists:m/artist:art_x/album:alb_y'; empty at home.
 */
type LibraryPath = string

const home: LibraryPage = { kind: 'home' }

/** Returns the page that is open. */
export function pageAt(path: LibraryPath): LibraryPage {
  const [kind = '', value = ''] = (path.split('/').at(-1) ?? '').split(':')
  if (kind === 'albums' || kind === 'artists') return { kind, from: value }
  if ((kind === 'album' || kind === 'artist') && value !== '') return { kind, id: value }
  return home
}

/** Opens a page from another one. An open page of the same kind and id is not opened twice. */
export function openPage(path: LibraryPath, place: LibraryPage): LibraryPath {
  const step = toStep(place)
  if (step === '') return ''
  const steps = path === '' ? [] : path.split('/')
  return [...(steps.at(-1) === step ? steps.slice(0, -1) : steps), step].slice(-maxSteps).join('/')
}

/** Replaces the open page, so that going back skips it. */
export function replacePage(path: LibraryPath, place: LibraryPage): LibraryPath {
  return openPage(goBack(path), place)
}

/** Returns to the page before. */
export function goBack(path: LibraryPath): LibraryPath {
  return path.split('/').slice(0, -1).join('/')
}

/** Going back further leads home. */
const maxSteps = 20

function toStep(place: LibraryPage): string {
  if (place.kind === 'home') return ''
  return `${place.kind}:${'id' in place ? place.id : place.from}`
}
