// Builds the page when its sources have changed since the last build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, findNode, root } from './install.mjs'

const stampPath = join(root, 'web', 'dist', '.built')
const sources = [
  'web/src',
  'web/public',
  'web/build',
  'web/index.html',
  'web/vite.config.ts',
  'core/src',
  'package-lock.json',
]

/**
 * Lists every file below a path except tests, sorted.
 * @param {string} path
 * @returns {Generator<string, void>}
 */
function* listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return
  if (!stats.isDirectory()) return yield path
  for (const name of readdirSync(path).toSorted()) {
    if (!/\.test\.tsx?$/.test(name)) yield* listFiles(join(path, name))
  }
}

function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of listFiles(join(root, source)))
      hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function readStamp() {
  try {
    return readFileSync(stampPath, 'utf8')
  } catch {
    return null
  }
}

/** Returns whether the built page is up to date. */
export function isPageBuilt() {
  return readStamp() === hashSources()
}

/** Builds the page unless it is up to date. Ends the process if that fails. */
export function ensurePageBuilt() {
  const hash = hashSources()
  if (readStamp() === hash) return
  console.log('Building the page ...')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(findNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    // Not that of a test which needs the page.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (result.status !== 0)
    fail(`Could not build the page: ${result.error?.message ?? 'see the lines above.'}`)
  writeFileSync(stampPath, hash)
}
