// Lists what a release contains of others, with its licences.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Compiled contents of packages under another licence than their own. */
const contained = {
  'mpg123-decoder':
    'contains libmpg123 (LGPL-2.1-only), https://mpg123.org, compiled by https://github.com/eshaz/wasm-audio-decoders',
}

const isLicence = /^(licen[cs]e|copying|notice)/i

/**
 * Returns the list of the server's packages, as text.
 * @param {string} folder With `node_modules`.
 * @param {Iterable<string>} paths Of packages, as in a lockfile.
 */
export function listNotices(folder, paths) {
  const lines = [...paths].sort().map((path) => describePackage(join(folder, path), path))
  return `# Third-party software in Earshot

The page's packages, with their licences: web/dist/third-party.txt. The server's are in node_modules, unchanged but for files that
never run; their sources are at https://www.npmjs.com/package/NAME/v/VERSION. The demo tracks: music/LICENSE.

${lines.join('\n')}
`
}

/**
 * @param {string} folder
 * @param {string} path
 */
function describePackage(folder, path) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = readdirSync(folder).find((file) => isLicence.test(file))
  const where = text === undefined ? '' : `, ${path}/${text}`
  const more = contained[/** @type {keyof typeof contained} */ (name)]
  return `- ${name} ${version}: ${license}${where}${more === undefined ? '' : `; ${more}`}`
}
