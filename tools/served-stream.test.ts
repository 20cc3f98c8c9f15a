import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { longTracks, writeM4a } from '../server/test/long-tracks.ts'
import { makeServedStream } from '../server/test/served-streams.ts'
import type { Packet } from '../web/src/players/library/decoding/served-stream/packet-decoder.ts'
import { openRangeFile, type RangeFile } from '../web/src/players/library/decoding/range-file.ts'
import {
  readStreamHead,
  type StreamHead,
} from '../web/src/players/library/decoding/served-stream/stream-head.ts'
import { StreamPackets } from '../web/src/players/library/decoding/served-stream/stream-packets.ts'
import { UndecodableError } from '../web/src/players/library/decoding/undecodable-error.ts'

/** What the server writes and the page reads, which know nothing of each other. */

const seconds = 25
const noneNeeded = -1

/** A file in memory; `reads` has the length of each read. */
function openInMemory(bytes: Uint8Array): RangeFile & { reads: number[] } {
  const reads: number[] = []
  return {
    reads,
    size: () => Promise.resolve(bytes.length),
    read: (start, end) => {
      reads.push(end - start)
      return Promise.resolve(bytes.slice(start, end))
    },
    readAhead: () => undefined,
    leavePlace: () => undefined,
    close: () => undefined,
  }
}

async function openStream(file: RangeFile): Promise<{ head: StreamHead; packets: StreamPackets }> {
  const head = await readStreamHead(file)
  if (!head) throw new Error('This is no stream')
  return { head, packets: new StreamPackets(file, head) }
}

async function takeAll(packets: AsyncIterable<Packet>, most = Infinity): Promise<Packet[]> {
  const all: Packet[] = []
  for await (const packet of packets) if (all.push(packet) >= most) break
  return all
}

/** Lists the packets of a stream from its first fragment on, whatever its tables say. Times in units of the track. */
function* listPackets(bytes: Uint8Array): Generator<{ time: number; data: Uint8Array }> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) !== 'moof') continue
    const run = file.indexOf('trun', at)
    let time = Number(file.readBigUInt64BE(file.indexOf('tfdt', at) + 8))
    let start = at + file.readUInt32BE(at) + 8
    for (let index = 0; index < file.readUInt32BE(run + 8); index += 1) {
      const size = file.readUInt32BE(run + 20 + 8 * index)
      yield { time, data: bytes.subarray(start, start + size) }
      time += file.readUInt32BE(run + 16 + 8 * index)
      start += size
    }
  }
}

const makeLong = (name: string, length = seconds) =>
  makeServedStream(name, (path) => longTracks.find((track) => track.name === name)?.write(path, length))

/** As the encoders of the files state them. */
const configs: Record<string, Partial<AudioDecoderConfig>> = {
  'opus.opus': { codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 },
  'vorbis.ogg': { codec: 'vorbis', sampleRate: 44_100, numberOfChannels: 2 },
  'mp3-vbr-table.mp3': { codec: 'mp3', sampleRate: 44_100, numberOfChannels: 2 },
  'mp3-vbr-no-table.mp3': { codec: 'mp3', sampleRate: 44_100, numberOfChannels: 2 },
  'aac-adts.aac': { codec: 'mp4a.40.2', sampleRate: 44_100, numberOfChannels: 2 },
  'aac-m4a.m4a': { codec: 'mp4a.40.2', sampleRate: 44_100, numberOfChannels: 2 },
  'flac-24-96.flac': { codec: 'flac', sampleRate: 96_000, numberOfChannels: 2 },
}
/** What the encoder added before the sound, in samples. */
const delays: Record<string, number> = { 'opus.opus': 312, 'mp3-vbr-table.mp3': 1_105, 'aac-m4a.m4a': 1_024 }

describe.each(Object.keys(configs))('the stream of %s', (name) => {
  let bytes: Uint8Array
  beforeAll(async () => {
    bytes = await makeLong(name)
  })

  it('17.488 states its codec, and where its sound begins and ends', async () => {
    const { head } = await openStream(openInMemory(bytes))
    expect(head.config).toMatchObject(configs[name]!)
    expect(head.startTime).toBe(delays[name] ?? 0)
    expect(Math.abs((head.endTime - head.startTime) / head.timescale - seconds)).toBeLessThan(0.1)
  })

  it('17.488 has the same packets from wherever it is read', async () => {
    const { head, packets } = await openStream(openInMemory(bytes))
    const all = [...listPackets(bytes)].map(({ time, data }) => ({ timeS: time / head.timescale, data }))
    expect(all.length).toBeGreaterThan(200)
    const startS = head.startTime / head.timescale
    for (const positionS of [-1, 0, 0.001, 9.99, 10, 13.37, 0.9 * seconds, seconds + 100]) {
      const wanted = all.findLastIndex(({ timeS }) => timeS - startS <= positionS + 1e-9)
      const first = positionS > 0 ? wanted : 0
      for (const neededS of [noneNeeded, positionS + 0.45]) {
        const read = await takeAll(packets.readFrom(positionS, neededS))
        expect(read.length).toBe(all.length - first)
        const isSame = ({ timeS, data }: Packet, index: number) => {
          const wanted = all[first + index]
          return timeS === wanted?.timeS && Buffer.from(data).equals(wanted.data)
        }
        expect(read.every(isSame)).toBe(true)
      }
    }
  })
})

it('17.488 a file without the brand of the server is left to others', async () => {
  const bytes = await makeLong('mp3-cbr.mp3', 2)
  const foreign = bytes.slice()
  foreign.set(Buffer.from('iso2'), Buffer.from(bytes).indexOf('ears'))
  for (const other of [foreign, new Uint8Array(0), new Uint8Array(64), Buffer.from('....ftyp'.repeat(20))]) {
    expect(await readStreamHead(openInMemory(other))).toBeNull()
  }
})

it('17.488 a decoder of Opus is to drop nothing, from wherever it starts', async () => {
  const { head } = await openStream(openInMemory(await makeLong('opus.opus', 2)))
  const description = Buffer.from(head.config.description as Uint8Array)
  expect(description.toString('latin1', 0, 8)).toBe('OpusHead')
  expect([...description.subarray(8)]).toEqual([1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])
})

it('17.422 times have the gaps of the file', async () => {
  const bytes = await makeServedStream('gap.m4a', (path) => writeM4a(path, 2, 700))
  const { packets } = await openStream(openInMemory(bytes))
  const times = (await takeAll(packets.readFrom(0, noneNeeded))).map(({ timeS }) => timeS)
  const steps = times.slice(1).map((timeS, index) => Math.round((timeS - times[index]!) * 1_000))
  expect(steps.filter((ms) => ms > 100)).toEqual([700 + 23])
  const [behind] = await takeAll(packets.readFrom(1.5, noneNeeded), 1)
  expect(behind?.timeS).toBeLessThan(1.1)
})

describe('requests before the first sound', () => {
  afterEach(() => void vi.unstubAllGlobals())

  /** Serves a stream in ranges. `rounds` has those that were asked for together. */
  function serve(bytes: Uint8Array): { rounds: string[][] } {
    const served = { rounds: [] as string[][] }
    let open = 0
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      const range = new Headers(init.headers).get('range') ?? ''
      if (open === 0) served.rounds.push([])
      served.rounds.at(-1)?.push(range)
      open += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      open -= 1
      const [, from = '', to = ''] = /bytes=(\d*)-(\d+)/.exec(range) ?? []
      const start = from === '' ? bytes.length - Number(to) : Number(from)
      const end = from === '' ? bytes.length : Math.min(Number(to) + 1, bytes.length)
      const headers = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, etag: '"one"' }
      return new Response(bytes.slice(start, end), { status: 206, headers })
    })
    return served
  }

  it.each([
    ['the start', -0.2, 0.25, 2],
    ['the middle', 94.8, 95.25, 3],
  ])('15.52 from %s are a few, each for what is needed', async (_place, positionS, neededS, rounds) => {
    const bytes = await makeLong('flac-24-96.flac', 180)
    const served = serve(bytes)
    const file = openRangeFile('/api/tracks/t/stream', { headBytes: 2_048, tailBytes: 1_222 })
    const { head, packets } = await openStream(file)
    for await (const { timeS } of packets.readFrom(positionS, neededS)) {
      if (timeS + 4_096 / head.timescale >= neededS) break
    }
    file.close()
    expect(served.rounds.map(({ length }) => length)).toEqual([2, ...Array<number>(rounds - 1).fill(1)])
  })
})

describe('a broken stream', () => {
  /** More than are in any of these streams. */
  const mostPackets = 5_000

  /** Reads a stream from two places. Resolves to the error that it ends with; null where it has an end. */
  async function readBroken(file: RangeFile): Promise<unknown> {
    try {
      const head = await readStreamHead(file)
      if (!head) return null
      const packets = new StreamPackets(file, head)
      for (const positionS of [0, 8]) {
        await takeAll(packets.readFrom(positionS, positionS + 0.45), mostPackets)
      }
      return null
    } catch (error) {
      return error
    }
  }
  const isExpected = (error: unknown) =>
    error === null || error instanceof UndecodableError || error instanceof RangeError

  it('17.489 ends, or ends with an error, whatever is in its boxes, and is read in bounded parts', async () => {
    const bytes = await makeLong('opus.opus', 12)
    const moof = Buffer.from(bytes).indexOf('moof')
    // Where boxes are, which are few of the bytes.
    const place = fc.oneof(
      fc.nat(moof + 200),
      fc.integer({ min: bytes.length - 80, max: bytes.length - 1 }),
      fc.nat(bytes.length - 1),
    )
    const change = fc.record({ at: place, value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff) })
    const changes = fc.array(change, { minLength: 1, maxLength: 4 })
    const length = fc.option(fc.nat(bytes.length), { nil: bytes.length })
    const property = fc.asyncProperty(changes, length, async (changed, cutAt) => {
      const broken = bytes.slice(0, cutAt)
      for (const { at, value } of changed) if (at < cutAt) broken[at] = value
      const file = openInMemory(broken)
      expect(isExpected(await readBroken(file))).toBe(true)
      expect(file.reads.length).toBeLessThan(mostPackets)
      expect(Math.max(...file.reads)).toBeLessThanOrEqual(4 * 1024 * 1024)
    })
    await fc.assert(property, { numRuns: 300 })
  })

  it('17.489 whose last fragment leads back to itself does not go round', async () => {
    const bytes = (await makeLong('opus.opus', 12)).slice()
    const view = new DataView(bytes.buffer)
    const run = Buffer.from(bytes.buffer).lastIndexOf('trun')
    let length = 0
    for (let index = 0; index < view.getUint32(run + 8); index += 1)
      length += view.getUint32(run + 20 + 8 * index)
    // The offset of its data: they end where the fragment begins.
    view.setInt32(run + 12, -length)
    expect(await readBroken(openInMemory(bytes))).toBeInstanceOf(UndecodableError)
  })

  it('17.489 with a packet of gigabytes is refused before that is read', async () => {
    const bytes = (await makeLong('opus.opus', 12)).slice()
    const run = Buffer.from(bytes.buffer).indexOf('trun')
    new DataView(bytes.buffer).setUint32(run + 20, 2 ** 32 - 1)
    const file = { ...openInMemory(bytes), size: () => Promise.resolve(2 ** 40) }
    expect(await readBroken(file)).toBeInstanceOf(UndecodableError)
    expect(Math.max(...file.reads)).toBeLessThan(bytes.length)
  })
})
