import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readCommit } from './commit.mjs'

it('16.229 the commit is that of the branch or of the checkout itself, and unknown without Git', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-commit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(readCommit(folder)).toBe('')
  const heads = join(folder, '.git', 'refs', 'heads')
  mkdirSync(heads, { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  expect(readCommit(folder)).toBe('')
  const packed = `# pack-refs with: peeled\n${'e'.repeat(40)} refs/heads/not-main\n${'d'.repeat(40)} refs/heads/main\n`
  writeFileSync(join(folder, '.git', 'packed-refs'), packed)
  expect(readCommit(folder)).toBe('dddddddddddd')
  writeFileSync(join(heads, 'main'), `${'0123456789abcdef'.repeat(3).slice(0, 40)}\n`)
  expect(readCommit(folder)).toBe('0123456789ab')
  writeFileSync(join(folder, '.git', 'HEAD'), `${'f'.repeat(40)}\n`)
  expect(readCommit(folder)).toBe('ffffffffffff')
})
