// Copies what runs into a folder: `node tools/package/stage.mjs TARGET [--without-node]`. The packages come from the
// installation here, so nothing is downloaded.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readCommit } from '../commit.mjs'
import { fail, ensureInstalled, nodeFlags, root, serverFlags } from '../install.mjs'
import { ensurePageBuilt } from '../page.mjs'
import { listNeeded, removeFilesThatNeverRun } from '../prune.mjs'
import { listNotices } from './notices.mjs'

const sources = ['core/package.json', 'core/src', 'server/package.json', 'server/src', 'web/dist', 'music']
const documents = [
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/architecture.md',
  'docs/browsers.md',
  'docs/operating.md',
  'docs/providers.md',
  'docs/scale.md',
  'docs/security.md',
  'docs/spec.md',
  'deploy',
]
/** Tests, and what only tests import. */
const isForTests = /\.test\.ts$|[\\/]testing$|[\\/]\.built$/

export const launcher = () => `#!/bin/sh
# Starts the server; with "admin COMMAND", runs a command of the operator.
dir=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
node=node
for own in "$dir"/node_modules/node-*/bin/node; do [ -x "$own" ] && node=$own; done
script=main
[ "$1" = admin ] && { script=admin/main; shift; }
export EARSHOT_COMMIT=${readCommit()}
exec "$node" ${[...nodeFlags, ...serverFlags].join(' ')} "$dir/server/src/$script.ts" "$@"
`

/**
 * Copies server, built page, demo tracks and production packages into a new folder.
 * @param {string} target
 * @param {{ withNode: boolean }} options With the Node of this platform, or for a machine that has one.
 */
export function stage(target, { withNode }) {
  if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`)
  // An installation for tests must stay as it is.
  if (!existsSync(join(root, 'node_modules'))) ensureInstalled('page')
  ensurePageBuilt()
  mkdirSync(target, { recursive: true })
  for (const path of [...sources, ...documents]) {
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      filter: (from) => !isForTests.test(from),
    })
  }
  cpSync(join(import.meta.dirname, 'README.md'), join(target, 'README.md'))
  copyPackages(target, withNode)
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = { name, version, license, private: true, type: 'module', engines: { node: '>=24' } }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(target, 'earshot'), launcher())
  chmodSync(join(target, 'earshot'), 0o755)
}

/**
 * @param {string} target
 * @param {boolean} withNode
 */
function copyPackages(target, withNode) {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  /** @type {string[]} */
  const copied = []
  for (const path of listNeeded(locked)) {
    const from = join(root, path)
    const isSkipped = !path.includes('node_modules/') || !existsSync(from)
    if (isSkipped || (!withNode && /node_modules\/node-[a-z0-9]+-[a-z0-9]+$/.test(path))) continue
    const to = join(target, path)
    mkdirSync(dirname(to), { recursive: true })
    if (locked[path].link) {
      symlinkSync(join('..', '..', locked[path].resolved), to)
      continue
    }
    // Packages inside a package are listed on their own.
    const nested = join(realpathSync(from), 'node_modules')
    cpSync(from, to, { recursive: true, filter: (each) => each !== nested })
    removeFilesThatNeverRun(to)
    copied.push(path)
  }
  writeFileSync(join(target, 'THIRD-PARTY.md'), listNotices(target, copied))
}

if (process.argv[1] === import.meta.filename) {
  const [target, flag] = process.argv.slice(2)
  if (target === undefined) fail('Name the folder to copy into.')
  else stage(resolve(target), { withNode: flag !== '--without-node' })
}
