import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** The modules that a room loads on demand, in this order. */
const roomModules = ['features/room/room-page.tsx', 'players/library/library-player.ts']

/**
 * The modules of pages that load on demand and are drawn sooner on a slow line when the document names them; `door`:
 * a visitor's room.
 */
const pageModules: Record<string, readonly string[]> = {
  door: ['features/room/room-page.tsx', 'features/room/door/door.tsx'],
  room: roomModules,
}

/**
 * Writes two files beside `index.html`, in each language, so that scripts which some pages load besides those of all
 * pages load in parallel with those instead of after them: `preloads.json`, which names them for the server to name
 * them in the document, and `room.html`, which the server sends under the address of a room.
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
      const listOwn = (modules: readonly string[]) =>
        listScripts(bundle, modules).filter((file) => !html.includes(file))
      const preloads = Object.entries(pageModules).map(([name, modules]) => [name, listOwn(modules)])
      const files = {
        [page.fileName.replace('index', 'preloads').replace('.html', '.json')]: JSON.stringify(
          Object.fromEntries(preloads),
        ),
        [page.fileName.replace('index', 'room')]: makeRoomHtml(html, bundle, listOwn(roomModules)),
      }
      for (const [name, text] of Object.entries(files)) await writeFile(join(outputFolder, name), text)
    },
  }
}

/** Returns the page's document with the scripts of a room, and the one that opens its connection. */
function makeRoomHtml(html: string, bundle: Rolldown.OutputBundle, scripts: readonly string[]): string {
  const earlySocket = Object.keys(bundle).find((file) => file.startsWith('assets/early-socket-'))
  if (!earlySocket) throw new Error('The build has no script that opens the connection')
  const links = scripts.map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
  return html
    .replace(
      '<script type="module"',
      `<script defer fetchpriority="high" src="/${earlySocket}"></script>\n    <script type="module"`,
    )
    .replace('  </head>', `${links.join('')}  </head>`)
}

/** Returns the document of a build, which is `index.html` in its language. */
export function findDocument(bundle: Rolldown.OutputBundle): Rolldown.OutputAsset {
  const document = Object.values(bundle).find(({ fileName }) => /^index\b.*\.html$/.test(fileName))
  if (document?.type !== 'asset') throw new Error('The build has no index.html')
  return document
}

/** Lists the files of modules with everything that they import, each once. */
function listScripts(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const found = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`The build has no chunk of ${module}`)
    add(chunk)
  }
  return [...found]
}
