import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { FileWindow } from './audio-packets.ts'
import { readMatroskaPackets } from './matroska-packets.ts'
import { readOggPackets } from './ogg-packets.ts'
import { writeIndex } from './track-index.ts'

const seeds = join(import.meta.dirname, '../../../test/audio/two-seconds')

/** Puts the packets of an Ogg file into WebM, as a recorder does: without cues, or sizes of what is not complete. */
function record(name: string, { withCues = false, gapMs = 0 } = {}): Buffer {
  const descriptor = openSync(join(seeds, name), 'r')
  onTestFinished(() => closeSync(descriptor))
  const { packets, timescale } = readOggPackets(new FileWindow(descriptor))
  const bytes = readFileSync(join(seeds, name))
  let time = 0
  const blocks = [...packets].map(({ parts, duration }) => {
    const ms = Math.round((time / timescale) * 1_000) + (time > timescale ? gapMs : 0)
    time += duration
    const head = Buffer.from([0x81, 0, 0, 0x80])
    head.writeInt16BE(ms, 1)
    return element(
      'a3',
      Buffer.concat([head, ...parts.map(([at, length]) => bytes.subarray(at, at + length))]),
    )
  })
  const track = element(
    'ae',
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([2])),
    element('86', Buffer.from(name.endsWith('.opus') ? 'A_OPUS' : 'A_VORBIS')),
    element('63a2', headersOf(bytes)),
  )
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))),
    element('1654ae6b', track),
    Buffer.from('1f43b67501ffffffffffffff', 'hex'),
    element('e7', Buffer.from([0])),
    ...blocks,
    ...(withCues ? [element('1c53bb6b', Buffer.alloc(4))] : []),
  ])
}

function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length))
  size[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** The private data of the codec: the header of Opus, or the three laced ones of Vorbis. */
function headersOf(ogg: Buffer): Buffer {
  const at = ogg.indexOf('OpusHead')
  if (at >= 0) return ogg.subarray(at, at + 19)
  const starts = ['\x01vorbis', '\x03vorbis', '\x05vorbis'].map((mark) => ogg.indexOf(mark, 0, 'latin1'))
  const [head = 0, comments = 0, setup = 0] = starts
  // One page holds comments and setup; its last packet, the setup, ends where the next page begins.
  const parts = [
    ogg.subarray(head, head + 30),
    ogg.subarray(comments, setup),
    ogg.subarray(setup, ogg.indexOf('OggS', setup)),
  ]
  const lacing = parts
    .slice(0, 2)
    .flatMap(({ length }) => [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255])
  return Buffer.concat([Buffer.from([2, ...lacing]), ...parts])
}

async function store(bytes: Buffer): Promise<string> {
  const path = join(await makeFolder(), 'recording.webm')
  writeFileSync(path, bytes)
  return path
}

/** What the index of a file says: how long it is, or why there is none. */
async function indexOf(bytes: Buffer): Promise<string> {
  const path = await store(bytes)
  writeIndex(path, `${path}.index`)
  return readFileSync(`${path}.index`).toString('latin1', 4, 100)
}

it.each(['noise.opus', 'noise.ogg'])(
  '17.124 a recording of %s without cues has an index of its packets',
  async (name) => {
    const bytes = record(name)
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
  const bytes = record('noise.opus')
  expect(await indexOf(bytes.subarray(0, Math.floor(bytes.length / 2)))).toMatch(/^{"size":/)
})

it('17.124 a file with cues, and a recording with gaps, are served as they are', async () => {
  expect(await indexOf(record('noise.opus', { withCues: true }))).toMatch(/index of its own/)
  expect(await indexOf(record('noise.opus', { gapMs: 400 }))).toMatch(/has gaps/)
  expect(await indexOf(readFileSync(join(seeds, 'noise.webm')))).toMatch(/reason/)
})
