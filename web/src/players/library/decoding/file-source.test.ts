import { EncodedPacketSink, Input, WAVE } from 'mediabunny'
import { expect, it } from 'vitest'
import { FileSource } from './file-source.ts'
import type { RangeFile } from './range-file.ts'

const sampleRate = 48_000
const frameBytes = 4
const seconds = 20

/** A WAV file of 16 bit stereo, whose bytes tell where they are. */
function makeWav(): Uint8Array {
  const bytes = Uint8Array.from({ length: 44 + seconds * sampleRate * frameBytes }, (_, at) => at & 255)
  const view = new DataView(bytes.buffer)
  const write = (at: number, text: string) => new TextEncoder().encodeInto(text, bytes.subarray(at))
  write(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 2, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * frameBytes, true)
  view.setUint16(32, frameBytes, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, bytes.length - 44, true)
  return bytes
}

/** A file in memory; `reads` has the length of each read. */
function openInMemory(bytes: Uint8Array) {
  const reads: number[] = []
  let isClosed = false
  const file: RangeFile = {
    size: () => Promise.resolve(bytes.length),
    read: (start, end) => {
      reads.push(end - start)
      return Promise.resolve(bytes.slice(start, end))
    },
    readAhead: () => undefined,
    leavePlace: () => undefined,
    close: () => (isClosed = true),
  }
  return { file, reads, isClosed: () => isClosed }
}

it('15.52 only what is asked for is read, also shortly behind what was read before', async () => {
  const bytes = makeWav()
  const { file, reads, isClosed } = openInMemory(bytes)
  const input = new Input({ source: new FileSource(file), formats: [WAVE] })
  const track = await input.getPrimaryAudioTrack()
  const packets = new EncodedPacketSink(track!)
  const headBytes = reads.reduce((sum, length) => sum + length, 0)
  expect(headBytes).toBeLessThan(1_000)

  reads.length = 0
  // 96 kB behind the header, and again behind that.
  for (const at of [0.5, 1]) {
    const packet = await packets.getKeyPacket(at)
    const from = 44 + Math.round((packet?.timestamp ?? 0) * sampleRate) * frameBytes
    expect(packet?.data).toEqual(bytes.slice(from, from + (packet?.data.length ?? 0)))
  }
  expect(Math.max(...reads)).toBeLessThanOrEqual(2_048 * frameBytes)
  expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(4 * 2_048 * frameBytes)
  expect(await packets.getPacket(seconds + 5)).not.toBeNull()

  input.dispose()
  expect(isClosed()).toBe(true)
})

/** A chunk of tags, as large as one with a cover is. */
function makeTagChunk(id: string): Uint8Array {
  const chunk = new Uint8Array(8 + 3_000_000)
  new TextEncoder().encodeInto(id, chunk)
  new DataView(chunk.buffer).setUint32(4, chunk.length - 8, true)
  return chunk
}

it.each(['LIST', 'id3 ', 'ID3 '])(
  '17.123 of the tags of a WAV file in %s only the headers are read',
  async (id) => {
    const wav = makeWav()
    const tags = makeTagChunk(id)
    const bytes = new Uint8Array(wav.length + 2 * tags.length)
    bytes.set(wav.subarray(0, 36))
    bytes.set(tags, 36)
    bytes.set(wav.subarray(36), 36 + tags.length)
    bytes.set(tags, wav.length + tags.length)
    new DataView(bytes.buffer).setUint32(4, bytes.length - 8, true)
    const { file, reads } = openInMemory(bytes)
    const input = new Input({ source: new FileSource(file), formats: [WAVE] })
    const track = await input.getPrimaryAudioTrack()
    expect(await track?.getDurationFromMetadata()).toBeCloseTo(seconds, 3)
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_000)
  },
)

/** RF64 of 5 GB, all silence behind its header. */
function openSilentRf64(): { file: RangeFile; countReads: () => number } {
  const sampleBytes = 5e9
  const wav = makeWav()
  const sizes = new DataView(new ArrayBuffer(36))
  sizes.setUint32(0, 0x64733634) // ds64
  sizes.setUint32(4, 28, true)
  sizes.setBigUint64(8, BigInt(sampleBytes + 72), true)
  sizes.setBigUint64(16, BigInt(sampleBytes), true)
  const head = new Uint8Array([...wav.slice(0, 12), ...new Uint8Array(sizes.buffer), ...wav.slice(12, 44)])
  new TextEncoder().encodeInto('RF64', head)
  head.fill(0xff, 4, 8)
  head.fill(0xff, head.length - 4)
  let reads = 0
  const file: RangeFile = {
    size: () => Promise.resolve(head.length + sampleBytes),
    read: (start, end) => {
      reads += 1
      const bytes = new Uint8Array(end - start)
      bytes.set(head.subarray(start, Math.max(start, end)))
      return Promise.resolve(bytes)
    },
    readAhead: () => undefined,
    leavePlace: () => undefined,
    close: () => undefined,
  }
  return { file, countReads: () => reads }
}

it('15.66 RF64 of more than 4 GB is read at any position, without a search for chunks in its samples', async () => {
  const { file, countReads } = openSilentRf64()
  const input = new Input({ source: new FileSource(file), formats: [WAVE] })
  const track = await input.getPrimaryAudioTrack()
  const durationS = 5e9 / frameBytes / sampleRate
  expect(await track?.getDurationFromMetadata()).toBeCloseTo(durationS, 3)
  const packet = await new EncodedPacketSink(track!).getKeyPacket(0.9 * durationS)
  expect(packet?.timestamp).toBeCloseTo(0.9 * durationS, 1)
  expect(countReads()).toBeLessThan(20)
})
