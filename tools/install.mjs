// Installs the packages of the lockfile and finds the project's own Node. Plain JavaScript without packages: it runs
// before anything is installed, on the system's Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
  putBack(root)
  const stamp = readStamp()
  if (stamp?.lock === lock && packageSets.indexOf(stamp.packages) >= packageSets.indexOf(packages)) return
  console.log('Installing packages from the lockfile ...')
  // Somebody who ran `npm ci` keeps the packages for tests.
  const isForTests =
    packages === 'all' || (stamp === null && existsSync(join(root, 'node_modules', 'vitest')))
  // No package needs its install script, and a script that does not run can do no harm.
  const args = ['ci', '--ignore-scripts', ...(isForTests ? [] : ['--omit=dev'])]
  if (!replacePackages(root, args))
    fail(
      'Could not install the packages: see the lines above. Is the registry reachable? Those of before are still there.',
    )
  writeStamp({ lock, packages: isForTests ? 'all' : 'page' })
}

/** Where the packages of before wait until others are in their place. */
const asideName = '.node_modules-before'

/**
 * Runs npm in a folder. `npm ci` removes all packages before it loads others: where it fails, those of before are put
 * back, so that the version they belong to still starts. Returns whether it succeeded.
 * @param {string} folder
 * @param {string[]} args
 */
export function replacePackages(folder, args) {
  for (const place of listPlaces(folder)) moveAside(place)
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) putBack(folder)
  for (const place of listPlaces(folder)) rmSync(join(place, asideName), { recursive: true, force: true })
  return status === 0
}

/**
 * Puts packages back that wait for others: an installation failed, or was interrupted.
 * @param {string} folder
 */
function putBack(folder) {
  for (const place of listPlaces(folder)) {
    const aside = join(place, asideName)
    if (!existsSync(aside)) continue
    rmSync(join(place, 'node_modules'), { recursive: true, force: true })
    renameSync(aside, join(place, 'node_modules'))
  }
}

/** @param {string} place */
function moveAside(place) {
  const packages = join(place, 'node_modules')
  if (!existsSync(packages)) return
  try {
    renameSync(packages, join(place, asideName))
  } catch {
    // Windows moves no folder with a program that runs, as Node does.
  }
}

/**
 * Returns the folders that may have packages: the project's, and those of its workspaces.
 * @param {string} folder
 */
function listPlaces(folder) {
  /** @type {{ workspaces?: string[] }} */
  const { workspaces = [] } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [folder, ...workspaces.map((name) => join(folder, name))]
}

/** Removes the packages that only built the page. Does nothing where the packages for tests are installed. */
export function removeBuildPackages() {
  const stamp = readStamp()
  if (stamp?.packages !== 'page') return
  // Stamped first: an interrupted removal must not pass for an installation that can build the page.
  writeStamp({ lock: stamp.lock, packages: 'server' })
  pruneToServer(root)
}

/**
 * Returns the path of a Node that can run the project: its own, or the system's where that is new enough.
 * @param {string} folder The project's.
 */
export function findNode(folder = root) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const ownPackage = join(folder, 'node_modules', `node-${platform}-${process.arch}`)
  const own = join(ownPackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(own)) {
    const failure = tryNode(own)
    if (failure === null) return own
    console.error(`The Node ${nodeMajor} of the packages does not run on this system: ${failure.reason}`)
    if (failure.isForeign) {
      // npm puts it first: with it no command would start any more.
      rmSync(ownPackage, { recursive: true })
      rmSync(join(folder, 'node_modules', '.bin', 'node'), { force: true })
    }
  }
  if (Number(process.versions.node.split('.')[0]) >= nodeMajor) return process.execPath
  return fail(
    `Earshot needs Node ${nodeMajor}, and no package of it runs here (${process.platform}, ${process.arch}). ` +
      `Install Node ${nodeMajor} or newer and run the same command again.`,
  )
}

/** Messages of the loaders of glibc, musl and macOS about a program for another C library. */
const foreignProgram = /GLIBC|symbol|shared librar|library not loaded/i

/**
 * Returns why a Node does not run; null if it runs. One is foreign that never will here, as one for another C
 * library. Others may have been killed, or the system was short of processes.
 * @param {string} path
 */
function tryNode(path) {
  // Under npm it is usually the one that runs this.
  if (realpathSync(path) === process.execPath) return null
  const { status, signal, error, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  const reason = error?.message ?? (stderr.trim() || `it ended with ${signal ?? status}`)
  // The file is there, so it is its loader that is missing.
  const isForeign = error ? 'code' in error && error.code === 'ENOENT' : foreignProgram.test(stderr)
  return { reason, isForeign }
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
