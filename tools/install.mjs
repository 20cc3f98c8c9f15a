// Installs the packages of the lockfile and finds the project's own Node. Plain JavaScript without packages: it runs
// before anything is installed, on the system's Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pruneToServer } from './prune.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const stampPath = join(root, 'node_modules', '.earshot-install.json')
const nodeMajor = 24

/**
 * Each set contains the ones before it: what the server runs, also what builds the page, also what checks and tests.
 * @typedef {'server' | 'page' | 'all'} PackageSet
 */
const packageSets = ['server', 'page', 'all']

function hashLockfile() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/** Returns the installed set and the hash of its lockfile, or null. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8'))
  } catch {
    return null
  }
}

/** @param {{ lock: string, packages: PackageSet }} stamp */
function writeStamp(stamp) {
  writeFileSync(stampPath, JSON.stringify(stamp))
}

/**
 * Installs from the lockfile unless at least this set of this lockfile is installed already.
 * @param {PackageSet} packages
 */
export function ensureInstalled(packages) {
  const lock = hashLockfile()
  const stamp = readStamp()
  if (stamp?.lock === lock && packageSets.indexOf(stamp.packages) >= packageSets.indexOf(packages)) return
  console.log('Installing packages from the lockfile ...')
  // Somebody who ran `npm ci` keeps the packages for tests.
  const isForTests =
    packages === 'all' || (stamp === null && existsSync(join(root, 'node_modules', 'vitest')))
  // No package needs its install script, and a script that does not run can do no harm.
  const args = ['ci', '--ignore-scripts', ...(isForTests ? [] : ['--omit=dev'])]
  const result = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0)
    fail('Could not install the packages: see the lines above. Is the registry reachable?')
  writeStamp({ lock, packages: isForTests ? 'all' : 'page' })
}

/** Removes the packages that only built the page. Does nothing where the packages for tests are installed. */
export function removeBuildPackages() {
  const stamp = readStamp()
  if (stamp?.packages !== 'page') return
  // Stamped first: an interrupted removal must not pass for an installation that can build the page.
  writeStamp({ lock: stamp.lock, packages: 'server' })
  pruneToServer(root)
}

/** Returns the path of a Node that can run the project: its own, or the system's where that is new enough. */
export function findNode() {
  const folder = join(
    root,
    'node_modules',
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  )
  const own = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= nodeMajor) return process.execPath
  return fail(
    `Earshot needs Node ${nodeMajor}, and there is no package of it for ${process.platform} on ${process.arch}. ` +
      `Install Node ${nodeMajor} or newer and run the same command again.`,
  )
}

/** Flags for running the project's TypeScript: Node warns that two features it uses are experimental. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/** Further flags of the server: V8 would keep up to 64 MB for short-lived objects once a scan has needed them. */
export const serverFlags = ['--max-semi-space-size=8']

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
