import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { identifyTrack } from './track-reader.ts'

it('a track keeps its id when its file is moved, copied or renamed', async () => {
  const folder = await makeFolder()
  const sound = Buffer.alloc(300_000, 7)
  await writeIn(folder, 'a/one.wav', sound)
  await writeIn(folder, 'copy.wav', sound)
  const id = await identifyTrack(join(folder, 'a/one.wav'), sound.length)
  expect(id).toMatch(/^lib_[\w-]{22}$/)
  expect(await identifyTrack(join(folder, 'copy.wav'), sound.length)).toBe(id)
  await rename(join(folder, 'a/one.wav'), join(folder, 'two.wav'))
  expect(await identifyTrack(join(folder, 'two.wav'), sound.length)).toBe(id)
})

it.each([
  ['its beginning', 0],
  ['its middle', 150_000],
  ['its end', 299_999],
])('a file that differs in %s is another track', async (_, at) => {
  const folder = await makeFolder()
  const sound = Buffer.alloc(300_000, 7)
  await writeIn(folder, 'one.wav', sound)
  const id = await identifyTrack(join(folder, 'one.wav'), sound.length)
  sound[at] = 8
  await writeIn(folder, 'one.wav', sound)
  expect(await identifyTrack(join(folder, 'one.wav'), sound.length)).not.toBe(id)
})

it('tiny and empty files have ids too', async () => {
  const folder = await makeFolder()
  await writeIn(folder, 'one.wav', 'a')
  await writeIn(folder, 'two.wav', 'b')
  await writeIn(folder, 'none.wav', '')
  const ids = await Promise.all([
    identifyTrack(join(folder, 'one.wav'), 1),
    identifyTrack(join(folder, 'two.wav'), 1),
    identifyTrack(join(folder, 'none.wav'), 0),
  ])
  expect(new Set(ids).size).toBe(3)
})
