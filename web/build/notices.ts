import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Names the packages in the page with their licences: Vite writes it, from the modules of the scripts. */
export const noticesFile = 'third-party.txt'

/** Used by a style sheet alone, where Vite does not look. */
const font = '@fontsource-variable/outfit'

const heading = `# Third-party software in Earshot's page

The source of each package is at https://www.npmjs.com/package/NAME/v/VERSION.
`

/** Completes the list: where the sources are, and the font. */
export function notices(): Plugin {
  let packages = ''
  return {
    name: 'notices',
    apply: 'build',
    configResolved(config) {
      packages = join(config.root, '..', 'node_modules')
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const list = bundle[noticesFile]
        if (list?.type !== 'asset') throw new Error('The build has no list of licences')
        const { version, license } = JSON.parse(await readFile(join(packages, font, 'package.json'), 'utf8'))
        const text = await readFile(join(packages, font, 'LICENSE'), 'utf8')
        const others = String(list.source).replace(/^# Licenses\n.*?\n## /s, '## ')
        list.source = `${heading}\n## ${font} - ${version} (${license})\n\n${text.trim()}\n\n${others}`
      },
    },
  }
}
