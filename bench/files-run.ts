import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's files of which a function ran, by V8's coverage. */

const root = join(import.meta.dirname, '..')

/** Files that draw, again with every change, and the hooks that read for them: counted, but not listed. */
const screenFiles =
  /^web\/src\/(?:features|ui|texts|app|main|routes|route-focus|api\/(?:library-)?queries)\b|^core\/src\/protocol\/(?:languages|text)\b/

export interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}

/** The project's files of which a function with a name or a body of its own ran, relative to the root, in order. */
export function filesRun({ result }: Coverage, toPath: (url: string) => string | null): string[] {
  const files = result.flatMap(({ url, functions }) => {
    const path = toPath(url)
    // The first function of a script is its top level, which runs once when the module loads.
    const hasRun = functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    const hasRunLater = functions[0]?.functionName !== '' && (functions[0]?.ranges[0]?.count ?? 0) > 0
    return path !== null && (hasRun || hasRunLater) ? [path] : []
  })
  return [...new Set(files)].toSorted()
}

export function serverPath(url: string): string | null {
  if (!url.startsWith('file:')) return null
  const path = relative(root, fileURLToPath(url))
  return /^(server|core)\/src\//.test(path) ? path : null
}

export function pagePath(url: string): string | null {
  const path = /\/m\/((?:web|core)\/src\/.*)\.js$/.exec(url)?.[1]
  if (!path) return null
  return ['.ts', '.tsx'].map((ending) => path + ending).find((file) => existsSync(join(root, file))) ?? null
}

/** Returns the files that every run has. */
export const intersect = (runs: string[][]): string[] =>
  (runs[0] ?? []).filter((file) => runs.every((run) => run.includes(file)))

/** Prints the files of a step, without those that draw. */
export function print(title: string, files: string[]): void {
  const steps = files.filter((file) => !screenFiles.test(file))
  const onScreen = files.length - steps.length
  console.log(`\n${title}: ${steps.length} files${onScreen > 0 ? `, and ${onScreen} of the screen` : ''}`)
  for (const file of steps) console.log(`  ${file}`)
}
