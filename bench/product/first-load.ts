import { posix } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/**
 * Lists the scripts and styles that a built page or script needs at once: those of the HTML, and the static imports of the
 * scripts, recursively. `import()` is left out: the page loads those later.
 * Paths are relative to the folder of the page, in the order in which they are found.
 */
export function listFirstLoad(read: (path: string) => string, start = 'index.html'): string[] {
  const found = new Set<string>()
  const queue = start.endsWith('.js') ? [start] : listOfPage(read(start))
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (found.has(path)) continue
    found.add(path)
    if (path.endsWith('.js')) queue.push(...listImports(path, read(path)))
  }
  return [...found]
}

/** Size in bytes at brotli's best, as a server sends it that compresses ahead of time. */
export function compressedSize(content: Buffer): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(content, { params }).length
}

const pageTag = /<(?:script|link)\b[^>]*>/g
const pageAddress = /(?:src|href)="\/?([^"]+\.(?:js|css))"/

function listOfPage(html: string): string[] {
  return [...html.matchAll(pageTag)].flatMap(([tag]) => pageAddress.exec(tag)?.[1] ?? [])
}

/** `import ... from "./a.js"`, `import"./a.js"`, `export ... from "./a.js"`; `import("./a.js")` has a parenthesis. */
const staticImport = /(?:^|[\s;}])(?:import|export)\s*(?:[\w$*{}\s,]*?[\s}*]from\s*)?["']([^"']+\.js)["']/g

function listImports(path: string, script: string): string[] {
  return [...script.matchAll(staticImport)].flatMap(([, address]) =>
    address?.startsWith('.') ? [posix.join(posix.dirname(path), address)] : [],
  )
}
