import type { Plugin, Rolldown } from 'vite'

/** Parts of Base UI that pages and popups share, each too small for a file of its own. */
const baseUi = [
  'utils/(addEventListener|hydration|inertValue|useControlled|useTimeout|useValueAsRef|visuallyHidden)',
  'react/floating-ui-react/utils/(composite|element|event)',
  'react/internals/(PrehydrationScript|composite/composite|createBaseUIEventDetails|reason-parts|use-button/useButton)',
  'react/internals/(useBaseUiId|useOpenChangeComplete|useRenderElement|useTransitionStatus|useValueChanged)',
  'react/internals/csp-context/CSPContext',
]

/** The same of ours: what a room shares with other pages. */
const parts = [
  'ui/(card|loading/part-on-demand|notices/notices-place|page/(media-query|parse-url)|popups/(dialog|popup-trigger))',
  'api/(describe-error|provider-queries)',
]

const oneOf = (modules: readonly string[]) => `(${modules.join('|')})\\.\\w+$`

/** Files with several modules, the first to take one first. A group takes what its modules import, too. */
const groups: NonNullable<Rolldown.CodeSplittingOptions['groups']> = [
  // Needed by every page. Browsers keep the libraries where only our code has changed.
  { name: 'base', tags: ['$initial'], test: /node_modules/ },
  { name: 'index', tags: ['$initial'] },
  {
    name: 'base-ui',
    test: new RegExp(`@base-ui/${oneOf(baseUi)}|@floating-ui/utils/dist/|ui/page/root-mark`),
  },
  { name: 'tabs', test: /@base-ui\/react\/(tabs\/(root|list|tab|panel)|internals\/composite)\// },
  { name: 'parts', test: new RegExp(`web/src/${oneOf(parts)}`) },
  { name: 'errors', test: /web\/src\/texts\/(\w+\/)?errors\.ts/ },
  { name: 'login', test: /web\/src\/(texts\/(\w+\/)?login|api\/kept-return-path)\.ts/ },
  // The library's index imports every icon: a group that took it would have those of all pages.
  { name: 'icons', test: /lucide-react\/.*\/icons\//, minShareCount: 2, entriesAware: true },
  { name: 'room-page', test: /room\/room-page\.tsx|players\/(player|mean)\.ts/ },
]

/**
 * Which modules share a file. The others have one for each set of pages that needs them. Where a page loads the room by
 * this, `page-weight.test.ts` fails: then a module that both need belongs to a group above `room-page`.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: groups.map((group, index) => ({ ...group, priority: groups.length - index })),
}

/** The bundler names a shared file for all that share it, joined by `~`. */
export const chunkFileNames = ({ name }: { name: string }): string => `assets/${name.split('~')[0]}-[hash].js`

/** Fails the build where chunks import each other in a circle: then code runs before what it needs. */
export function refuseCircles(): Plugin {
  return {
    name: 'refuse-circles',
    apply: 'build',
    generateBundle({ preserveModules }, bundle) {
      // Modules of a library may, which were written for it.
      if (preserveModules) return
      const circle = findCircle((file) => {
        const chunk = bundle[file]
        return chunk?.type === 'chunk' ? chunk.imports : []
      }, Object.keys(bundle))
      if (circle) this.error(`Chunks import each other: ${circle.join(' -> ')}`)
    },
  }
}

/** Finds a circle among files by what each imports, or null. */
export function findCircle(
  importsOf: (file: string) => readonly string[],
  files: readonly string[],
): string[] | null {
  const cleared = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (cleared.has(file)) return null
    for (const next of importsOf(file)) {
      const circle = visit(next, [...path, file])
      if (circle) return circle
    }
    cleared.add(file)
    return null
  }
  for (const file of files) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return null
}
