// Brings what the lockfile names, and the project's own Node. Plain JavaScript without packages: it must run
// before anything is installed, on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const stampPath = join(root, 'node_modules', '.earshot-install.json')
const nodeMajor = 24

/** What is installed: the lockfile's hash and whether the tools for development came along, or null. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Installs from the lockfile unless that very lockfile is installed already.
 * @param {{ withTools: boolean }} options `withTools`: also what only tests and checks need.
 */
export function ensureInstalled({ withTools }) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = readStamp()
  if (stamp?.lock === lock && (stamp.withTools || !withTools)) return
  console.log('Installing packages from the lockfile ...')
  // Scripts stay off: nothing here needs one, and what does not run cannot do harm.
  const args = ['ci', '--ignore-scripts', ...(withTools ? [] : ['--omit=dev'])]
  const result = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) {
    fail(
      'The packages could not be installed: see the lines above. A registry that can be reached is all it needs.',
    )
  }
  writeFileSync(stampPath, JSON.stringify({ lock, withTools }))
}

/** The path of a Node that can run the project: its own, or the system's where that is new enough. */
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
    `Earshot needs Node ${nodeMajor}, and none comes packaged for ${process.platform} on ${process.arch}. ` +
      `Install Node ${nodeMajor} or newer and run the same command again.`,
  )
}

/** Flags for running the project's TypeScript: Node says of two features we rely on that they are young. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
