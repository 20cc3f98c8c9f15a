import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { fingerprintFile } from './file-content.ts'

it('a fingerprint is the same when its file is moved, copied or renamed', async () => {
  const folder = await makeFolder()
  const sound = Buffer.alloc(300_000, 7)
  await writeIn(folder, 'a/one.wav', sound)
  await writeIn(folder, 'copy.wav', sound)
  const print = await fingerprintFile(join(folder, 'a/one.wav'), sound.length)
  expect(print).toMatch(/^[\w-]{22}$/)
  expect(await fingerprintFile(join(folder, 'copy.wav'), sound.length)).toBe(print)
  await rename(join(folder, 'a/one.wav'), join(folder, 'two.wav'))
  expect(await fingerprintFile(join(folder, 'two.wav'), sound.length)).toBe(print)
})

it.each([
  ['its beginning', 0],
  ['its middle', 150_000],
  ['its end', 299_999],
])('a file that differs in %s has another fingerprint', async (_, at) => {
  const folder = await makeFolder()
  const sound = Buffer.alloc(300_000, 7)
  await writeIn(folder, 'one.wav', sound)
  const print = await fingerprintFile(join(folder, 'one.wav'), sound.length)
  sound[at] = 8
  await writeIn(folder, 'one.wav', sound)
  expect(await fingerprintFile(join(folder, 'one.wav'), sound.length)).not.toBe(print)
})

it('tiny and empty files have fingerprints too', async () => {
  const folder = await makeFolder()
  await writeIn(folder, 'one.wav', 'a')
  await writeIn(folder, 'two.wav', 'b')
  await writeIn(folder, 'none.wav', '')
  const prints = await Promise.all([
    fingerprintFile(join(folder, 'one.wav'), 1),
    fingerprintFile(join(folder, 'two.wav'), 1),
    fingerprintFile(join(folder, 'none.wav'), 0),
  ])
  expect(new Set(prints).size).toBe(3)
})
