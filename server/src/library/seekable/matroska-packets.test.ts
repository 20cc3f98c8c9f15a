import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { recordWebm } from '../../../test/webm.ts'
import { FileWindow } from './audio-packets.ts'
import { readMatroskaPackets } from './matroska-packets.ts'
import { readOggPackets } from './ogg-packets.ts'
import { writeIndex } from './track-index.ts'

const seeds = join(import.meta.dirname, '../../../test/audio/two-seconds')

async function store(bytes: Buffer): Promise<string> {
  const path = join(await makeFolder(), 'recording.webm')
  writeFileSync(path, bytes)
  return path
}

/** Describes the index of a file: its duration, or why there is none. */
async function indexOf(bytes: Buffer): Promise<string> {
  const path = await store(bytes)
  writeIndex(path, `${path}.index`)
  return readFileSync(`${path}.index`).toString('latin1', 4, 100)
}

it.each(['noise.opus', 'noise.ogg'])(
  '17.124 a recording of %s without cues has an index of its packets',
  async (name) => {
    const bytes = recordWebm(name)
    const descriptor = openSync(await store(bytes), 'r')
    onTestFinished(() => closeSync(descriptor))
    const found = readMatroskaPackets(new FileWindow(descriptor))
    const original = openSync(join(seeds, name), 'r')
    onTestFinished(() => closeSync(original))
    const wanted = readOggPackets(new FileWindow(original))
    const [packets, expected] = [[...found.packets], [...wanted.packets]]
    expect(packets.map(({ duration }) => duration)).toEqual(expected.map(({ duration }) => duration))
    const heads = packets.map(({ parts: [[at] = [0]] }) => bytes.subarray(at, at + 8))
    const seed = readFileSync(join(seeds, name))
    expect(heads).toEqual(expected.map(({ parts: [[at] = [0]] }) => seed.subarray(at, at + 8)))
    expect(found.sampleEntry.equals(wanted.sampleEntry)).toBe(true)
    expect(await indexOf(bytes)).toMatch(/^{"size":/)
  },
)

it('17.124 a recording that was cut off has an index of the packets before', async () => {
  const bytes = recordWebm('noise.opus')
  expect(await indexOf(bytes.subarray(0, Math.floor(bytes.length / 2)))).toMatch(/^{"size":/)
})

it('17.124 a file with cues, and a recording with gaps, are served as they are', async () => {
  expect(await indexOf(recordWebm('noise.opus', { withCues: true }))).toMatch(/index of its own/)
  expect(await indexOf(recordWebm('noise.opus', { gapMs: 400 }))).toMatch(/has gaps/)
  expect(await indexOf(readFileSync(join(seeds, 'noise.webm')))).toMatch(/reason/)
})
