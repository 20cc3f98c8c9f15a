import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Git moves branches that have not changed for long into one file, as `git gc` and fresh clones do.
 * @param {string} folder
 * @param {string} ref
 */
function readPacked(folder, ref) {
  const lines = read(join(folder, '.git', 'packed-refs')).split('\n')
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? ''
}

/**
 * Returns the commit of a checkout, which need not have Git; an empty text where it is not known.
 * @param {string} folder
 */
export function readCommit(folder = root) {
  const head = read(join(folder, '.git', 'HEAD'))
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  const commit = ref === undefined ? head : read(join(folder, '.git', ref)) || readPacked(folder, ref)
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, 12) : ''
}
