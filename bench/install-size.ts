import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pruneToServer } from '../tools/prune.mjs'
import { withDefer } from './defer.ts'
import type { Measurement } from './measurement.ts'

const root = join(import.meta.dirname, '..')
const goalMb = 200

/** The disk space of the packages that `npm start` installs: while it builds the page, and from then on. */
export const installSize: Measurement = {
  name: 'install-size',
  title: 'Disk space of the packages that npm start installs',
  baseline: null,
  measure: (say) =>
    withDefer(async (defer) => {
      const folder = mkdtempSync(join(tmpdir(), 'earshot-install-'))
      defer(() => rmSync(folder, { recursive: true, force: true }))
      copyManifests(folder)
      say('installing into an empty folder')
      const args = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--silent']
      execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
      const toBuild = measureMb(folder)
      pruneToServer(folder)
      const node = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('node-'))
      const nodeMb = node.reduce((sum, name) => sum + measureMb(join(folder, 'node_modules', name)), 0)
      return [
        { name: 'server', unit: 'MB', value: measureMb(folder), goal: goalMb },
        { name: 'of that, Node', unit: 'MB', value: nodeMb },
        { name: 'while the page is built', unit: 'MB', value: toBuild },
      ]
    }),
}

function copyManifests(folder: string): void {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  const manifests = workspaces.map((workspace) => join(workspace, 'package.json'))
  for (const path of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    cpSync(join(root, path), join(folder, path))
  }
}

/** Returns the space that a folder takes on the disk, without following links. */
function measureMb(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks * 512, 0) / 1_000_000
}
