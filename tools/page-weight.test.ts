import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { compressedSize, listFirstLoad } from '../bench/product/first-load.ts'
import { ensurePageBuilt } from './page.mjs'

const folder = join(import.meta.dirname, '..', 'web', 'dist')
/** The largest part of a room, which reads and decodes audio files: mediabunny. */
const decoder = /track-decoder/

// The build of `npm test` is up to date; alone, this builds the page.
beforeAll(() => ensurePageBuilt(), 120_000)

/** Lists the scripts and styles that one of the built pages loads at once, with their sizes in kB of brotli. */
function weigh(html: string) {
  return listFirstLoad((path) => readFileSync(join(folder, path), 'utf8'), html).map((path) => ({
    path,
    kb: compressedSize(readFileSync(join(folder, path))) / 1_000,
  }))
}

const sum = (files: { kb: number }[]) => files.reduce((total, { kb }) => total + kb, 0)

it('17.85a home needs at most 120 kB of scripts and styles', { timeout: 60_000 }, () => {
  const files = weigh('index.html')
  expect(files.length).toBeGreaterThan(5)
  expect(sum(files)).toBeLessThanOrEqual(120)
})

it('17.85b a room needs at most 224 kB, and 64 kB to decode its audio', { timeout: 60_000 }, () => {
  const files = weigh('room.html')
  const decoders = files.filter(({ path }) => decoder.test(path))
  expect(decoders).toHaveLength(1)
  expect(sum(decoders)).toBeLessThanOrEqual(64)
  expect(sum(files) - sum(decoders)).toBeLessThanOrEqual(224)
})
