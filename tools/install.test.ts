import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findNode, replacePackages } from './install.mjs'

/** Makes a project whose own Node is a script; npm's link leads to it. */
function makeProject(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ownPackage = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  const own = join(ownPackage, 'bin', 'node')
  const link = join(folder, 'node_modules', '.bin', 'node')
  mkdirSync(join(ownPackage, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'node_modules', '.bin'))
  writeFileSync(own, script)
  chmodSync(own, 0o755)
  symlinkSync(own, link)
  return { folder, ownPackage, own, link }
}

it('16.224 commands run with the Node of the packages', () => {
  const { folder, own, link } = makeProject('#!/bin/sh\necho v24.0.0\n')
  expect(findNode(folder)).toBe(own)
  expect(existsSync(link)).toBe(true)
})

it.each([
  ['is killed', '#!/bin/sh\nkill -9 $$\n'],
  ['fails', "#!/bin/sh\necho 'Out of memory' >&2\nexit 1\n"],
])('16.224 a Node of the packages that %s once is kept', (_which, script) => {
  const { folder, own, link } = makeProject(script)
  expect(findNode(folder)).toBe(process.execPath)
  expect(existsSync(own)).toBe(true)
  expect(existsSync(link)).toBe(true)
})

it.each([
  ['of another C library', '#!/no/such/loader\n'],
  ['for a newer C library', "#!/bin/sh\necho 'version GLIBC_2.28 not found' >&2\nexit 1\n"],
])('16.224 a Node of the packages %s gives way to that of the system', (_which, script) => {
  const { folder, ownPackage, link } = makeProject(script)
  expect(findNode(folder)).toBe(process.execPath)
  expect(existsSync(ownPackage)).toBe(false)
  expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
})

it('16.319 packages that cannot be replaced, as without the registry, stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const project = { name: 'project', version: '1.0.0', workspaces: ['part'] }
  const lock = (dependencies: object, packages: object) =>
    JSON.stringify({
      ...project,
      lockfileVersion: 3,
      packages: { '': { ...project, dependencies }, ...packages },
    })
  const write = (path: string, content: string): void => writeFileSync(join(folder, path), content)
  for (const path of ['node_modules/left', 'part/node_modules/pad'])
    mkdirSync(join(folder, path), { recursive: true })
  write('package.json', JSON.stringify({ ...project, dependencies: { nowhere: '1.0.0' } }))
  write('part/package.json', JSON.stringify({ name: 'part', version: '1.0.0' }))
  const resolved = 'http://127.0.0.1:9/nowhere-1.0.0.tgz'
  write(
    'package-lock.json',
    lock(
      { nowhere: '1.0.0' },
      {
        part: { version: '1.0.0' },
        'node_modules/part': { resolved: 'part', link: true },
        'node_modules/nowhere': { version: '1.0.0', resolved, integrity: `sha512-${'A'.repeat(86)}==` },
      },
    ),
  )
  expect(replacePackages(folder, ['ci', '--fetch-retries=0', '--silent'])).toBe(false)
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['left'])
  expect(readdirSync(join(folder, 'part', 'node_modules'))).toEqual(['pad'])
  expect(readdirSync(folder).toSorted()).toEqual([
    'node_modules',
    'package-lock.json',
    'package.json',
    'part',
  ])

  write('package.json', JSON.stringify(project))
  write(
    'package-lock.json',
    lock({}, { part: { version: '1.0.0' }, 'node_modules/part': { resolved: 'part', link: true } }),
  )
  expect(replacePackages(folder, ['ci', '--silent'])).toBe(true)
  expect(existsSync(join(folder, 'node_modules', 'left'))).toBe(false)
  expect(readdirSync(folder)).not.toContain('.node_modules-before')
})
