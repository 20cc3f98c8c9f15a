// Reduces an installation to what the server runs. `npm prune --omit=dev` keeps what builds the page, and vitest with
// jsdom, because a package of the server names vitest as an optional peer.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} LockedPackage
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * Removes every package that the server does not depend on, and from the others the files that never run.
 * @param {string} folder The project's, with its lockfile and node_modules.
 */
export function pruneToServer(folder) {
  /** @type {Record<string, LockedPackage>} */
  const locked = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  const needed = listNeeded(locked)
  for (const path of Object.keys(locked)) {
    if (!path.includes('node_modules/')) continue
    if (!needed.has(path)) rmSync(join(folder, path), { recursive: true, force: true })
    else if (!locked[path]?.link) removeFilesThatNeverRun(join(folder, path))
  }
}

/**
 * Returns the lockfile's paths of the server, the packages it depends on, and Node. Optional peers are left out: the
 * server lists the ones it uses itself.
 * @param {Record<string, LockedPackage>} locked
 */
export function listNeeded(locked) {
  /** @type {Set<string>} */
  const needed = new Set()
  const waiting = ['server', ...Object.keys(locked['']?.optionalDependencies ?? {}).map(toRootPath)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = locked[path]
    if (!entry || needed.has(path)) continue
    needed.add(path)
    if (entry.link && entry.resolved) waiting.push(entry.resolved)
    for (const name of listDependencies(entry)) waiting.push(findDependency(locked, path, name))
  }
  return needed
}

/** @param {LockedPackage} entry */
function listDependencies(entry) {
  const peers = Object.keys(entry.peerDependencies ?? {})
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => !entry.peerDependenciesMeta?.[name]?.optional),
  ]
}

/** @param {string} name */
function toRootPath(name) {
  return `node_modules/${name}`
}

/**
 * Resolves a dependency as Node does: in the nearest node_modules folder upwards.
 * @param {Record<string, LockedPackage>} locked
 * @param {string} from
 * @param {string} name
 */
function findDependency(locked, from, name) {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at}/${toRootPath(name)}`
    if (locked[path]) return path
  }
  return toRootPath(name)
}

/** Type declarations, source maps and manuals: Node runs no TypeScript below node_modules. */
const neverRuns = /\.(ts|mts|cts|map|md|markdown)$/i
const isLicence = /licen[cs]e|notice|copying/i
/** 67 MB for compiling add-ons. */
const isNodeHeaders = /node_modules[\\/]node-[a-z0-9-]+[\\/]include$/

/** @param {string} folder */
export function removeFilesThatNeverRun(folder) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (isNodeHeaders.test(path)) rmSync(path, { recursive: true })
    else if (entry.isDirectory()) removeFilesThatNeverRun(path)
    else if (neverRuns.test(entry.name) && !isLicence.test(entry.name)) rmSync(path)
  }
}
