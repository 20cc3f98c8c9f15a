import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { findDocument, listScripts, roomModules } from './room-html.ts'

/** The modules of pages that load on demand and are drawn sooner on a slow line when the document names them; `door`: a visitor's room. */
const pageModules: Record<string, readonly string[]> = {
  door: ['features/room/room-page.tsx', 'features/room/door/door.tsx'],
  room: roomModules,
}

/**
 * Writes `preloads.json` beside `index.html`, in each language: the scripts that some pages load besides those of all
 * pages. The server names them in the document, so that they load in parallel with those instead of after them.
 */
export function pagePreloads(): Plugin {
  let outputFolder = ''
  return {
    name: 'page-preloads',
    apply: 'build',
    configResolved(config) {
      outputFolder = join(config.root, config.build.outDir)
    },
    async writeBundle(_options, bundle) {
      const page = findDocument(bundle)
      const html = String(page.source)
      const preloads = Object.entries(pageModules).map(([address, modules]) => [
        address,
        listScripts(bundle, modules).filter((file) => !html.includes(file)),
      ])
      const fileName = page.fileName.replace('index', 'preloads').replace('.html', '.json')
      await writeFile(join(outputFolder, fileName), JSON.stringify(Object.fromEntries(preloads)))
    },
  }
}
