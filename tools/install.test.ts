import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findNode } from './install.mjs'

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
