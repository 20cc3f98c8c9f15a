import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** The modules that a room loads on demand, in this order. */
export const roomModules = ['features/room/room-page.tsx', 'players/library/library-player.ts']

/**
 * Writes `room.html` beside `index.html`, in each language: the same page, which loads the scripts of a room, and opens its connection, in
 * parallel with its own scripts instead of after them. The server sends it under the address of a room.
 */
export function roomHtml(): Plugin {
  let outputFolder = ''
  return {
    name: 'room-html',
    apply: 'build',
    configResolved(config) {
      outputFolder = join(config.root, config.build.outDir)
    },
    async writeBundle(_options, bundle) {
      const page = findDocument(bundle)
      const html = String(page.source)
      const earlySocket = Object.keys(bundle).find((file) => file.startsWith('assets/early-socket-'))
      if (!earlySocket) throw new Error('The build has no script that opens the connection')
      const preloads = listScripts(bundle, roomModules)
        .filter((file) => !html.includes(file))
        .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
      const roomPage = html
        .replace(
          '<script type="module"',
          `<script defer fetchpriority="high" src="/${earlySocket}"></script>\n    <script type="module"`,
        )
        .replace('  </head>', `${preloads.join('')}  </head>`)
      await writeFile(join(outputFolder, page.fileName.replace('index', 'room')), roomPage)
    },
  }
}

/** Returns the document of a build, which is `index.html` in its language. */
export function findDocument(bundle: Rolldown.OutputBundle): Rolldown.OutputAsset {
  const document = Object.values(bundle).find(({ fileName }) => /^index\b.*\.html$/.test(fileName))
  if (document?.type !== 'asset') throw new Error('The build has no index.html')
  return document
}

/** Lists the files of modules with everything that they import, each once. */
export function listScripts(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
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
