import { closeSync, openSync } from 'node:fs'
import { appendFile, copyFile, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../../test/folders.ts'
import { longTracks } from '../../../../test/long-tracks.ts'
import { chunk, monoFormat } from '../../../../test/wav.ts'
import { FileWindow } from '../../seekable/audio-packets.ts'
import { readMp3Packets } from '../../seekable/mp3-packets.ts'
import { readAudioTags } from '../audio-tags.ts'

async function writeTrack(name: string, seconds: number): Promise<string> {
  const path = join(await makeFolder(), name)
  longTracks.find((track) => track.name === name)?.write(path, seconds)
  return path
}

it('10.14a the duration of an MP3 file that is cut off is that of its frames, not what its header states', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const whole = await readAudioTags(path)
  expect(whole.durationMs).toBeGreaterThan(19_000)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
  const { durationMs } = await readAudioTags(path)
  expect(durationMs).toBeGreaterThan(9_000)
  expect(durationMs).toBeLessThan(11_000)
})

it('10.14a so is that of one behind a tag', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const bytes = await readFile(path)
  const tag = Buffer.from('ID3\x04\0\0\0\0\x08\0', 'latin1') // 1,024 bytes
  const cut = bytes.subarray(0, Math.floor(bytes.length / 2))
  await writeFile(path, Buffer.concat([tag, Buffer.alloc(1_024), cut]))
  expect((await readAudioTags(path)).durationMs).toBeLessThan(11_000)
})

it('10.14a a whole file keeps the duration of its header', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const { durationMs } = await readAudioTags(path)
  await rename(path, `${path}.mp3`)
  expect((await readAudioTags(`${path}.mp3`)).durationMs).toBe(durationMs)
})

it.each([0.3, 30])(
  '17.153 an MP3 file whose header states %d times its frames has their duration',
  async (factor) => {
    const path = await writeTrack('mp3-vbr-table.mp3', 20)
    const { durationMs } = await readAudioTags(path)
    const bytes = await readFile(path)
    const at = bytes.indexOf('Xing', 0, 'latin1') + 8
    bytes.writeUInt32BE(Math.round(bytes.readUInt32BE(at) * factor), at)
    await writeFile(path, bytes)
    expect(Math.abs(((await readAudioTags(path)).durationMs ?? 0) - (durationMs ?? 0))).toBeLessThan(200)
  },
)

it.each([
  ['flac-44.flac', 13_000],
  ['flac-24-96.flac', 13_000],
  ['wav-44.wav', 10_000],
  ['wav-24-96.wav', 10_000],
])('15.50 the duration of %s that is cut off is that of its audio', async (name, expectedMs) => {
  const path = await writeTrack(name, 20)
  const { length } = await readFile(path)
  const whole = await readAudioTags(path)
  expect(whole.durationMs).toBeGreaterThan(19_990)
  // A tag at the end is no sound.
  await appendFile(path, Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]))
  expect((await readAudioTags(path)).durationMs).toBe(whole.durationMs)
  await truncate(path, Math.floor((length * expectedMs) / 20_000))
  const cut = await readAudioTags(path)
  expect(Math.abs((cut.durationMs ?? 0) - expectedMs)).toBeLessThan(100)
})

it('15.50 a WAV file whose recorder did not go back to its header has the duration of its samples', async () => {
  const path = await writeTrack('wav-44.wav', 20)
  const bytes = await readFile(path)
  bytes.writeUInt32LE(0xffffffff, 4)
  bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4)
  await writeFile(path, bytes)
  expect((await readAudioTags(path)).durationMs).toBe(20_000)
})

const tones = join(import.meta.dirname, '../../../../test/audio')

it.each([
  ['tone.m4a', 'tone.mp3'],
  ['tone.mp3', 'tone.m4a'],
  ['tone.flac', 'tone.mp3'],
  ['tone.opus', 'tone.wav'],
  ['tone.webm', 'tone.ogg'],
  ['tone.aac', 'tone.mp3'],
])('15.65 %s that is named %s has the tags and the duration of what is in it', async (real, named) => {
  const path = join(await makeFolder(), named)
  await copyFile(join(tones, real), path)
  expect(await readAudioTags(path)).toEqual(await readAudioTags(join(tones, real)))
})

it.each(['tone.flac', 'tone.mp3', 'tone.m4a', 'tone.opus', 'tone.ogg'])(
  '17.465 the duration of %s is that of its half second of sound, without what the encoder added',
  async (name) => {
    expect((await readAudioTags(join(tones, name))).durationMs).toBe(500)
  },
)

it('17.465 what follows the sound is that of the whole file: of one that is cut off, or by another encoder, all counts', async () => {
  const bytes = await readFile(join(tones, 'tone.mp3'))
  const read = async (name: string, content: Buffer) => {
    const path = join(await makeFolder(), name)
    await writeFile(path, content)
    return (await readAudioTags(path)).durationMs
  }
  const frameMs = 24
  const frames = 22
  const startMs = (1_105 / 48_000) * 1_000
  const cut = await read('cut.mp3', bytes.subarray(0, Math.floor(bytes.length / 2)))
  const cutFrames = ((cut ?? 0) + startMs) / frameMs
  expect(Math.abs(cutFrames - Math.round(cutFrames))).toBeLessThan(0.05)
  const other = Buffer.from(bytes)
  other.write('UUUU', bytes.indexOf('Lavf'), 'latin1')
  expect(await read('other.mp3', other)).toBe(frames * frameMs)
})

it.each(['Opus', 'fLaC'])('15.65 MP4 with %s is read', async (codec) => {
  const path = await writeTrack('aac-m4a.m4a', 5)
  const bytes = await readFile(path)
  bytes.write(codec, bytes.indexOf('mp4a'), 'latin1')
  await writeFile(path, bytes)
  expect((await readAudioTags(path)).durationMs).toBeGreaterThan(4_900)
})

it('15.65 audio that no browser plays is refused under any name, with what to do', async () => {
  const path = join(await makeFolder(), 'master.wav')
  await writeFile(path, Buffer.concat([Buffer.from('FORM\0\0\x10\0AIFFCOMM', 'latin1'), Buffer.alloc(4_096)]))
  await expect(readAudioTags(path)).rejects.toThrow(/\.aiff audio.*convert it to FLAC/)
})

interface WavHead {
  id?: 'RIFF' | 'RF64'
  /** As the header states it. */
  dataBytes: number
  chunks?: Buffer[]
}

/** Writes a mono WAV file of 8 bits whose samples take no place on the disk. */
async function writeSparseWav(sampleBytes: number, { id = 'RIFF', dataBytes, chunks = [] }: WavHead) {
  const data = Buffer.from('data....')
  data.writeUInt32LE(dataBytes, 4)
  const head = Buffer.concat([Buffer.from(`${id}\xff\xff\xff\xffWAVE`, 'latin1'), ...chunks, data])
  const path = join(await makeFolder(), 'long.wav')
  await writeFile(path, head)
  await truncate(path, head.length + sampleBytes)
  return path
}

const rate = 48_000
const info = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('INAM', Buffer.from('Festival\0'))]))
const odd = chunk('odd ', Buffer.alloc(7))

it('15.66 RF64 of more than 4 GB has its whole duration, and the tags before its samples', async () => {
  const sampleBytes = 28 * 3_600 * rate
  const sizes = Buffer.alloc(28)
  sizes.writeBigUInt64LE(BigInt(sampleBytes), 8)
  const chunks = [chunk('ds64', sizes), monoFormat(rate, 8), odd, info]
  const path = await writeSparseWav(sampleBytes, { id: 'RF64', dataBytes: 0xffffffff, chunks })
  expect(await readAudioTags(path)).toMatchObject({ title: 'Festival', durationMs: 28 * 3_600_000 })
})

it('15.66 a WAV file has the duration of its samples behind chunks of any length', async () => {
  const chunks = [odd, chunk('JUNK', Buffer.alloc(70_000)), monoFormat(rate, 8), info, odd]
  const path = await writeSparseWav(60 * rate, { dataBytes: 60 * rate, chunks })
  expect(await readAudioTags(path)).toMatchObject({ title: 'Festival', durationMs: 60_000 })
})

it.each([
  ['whose header was not completed', 60 * rate, 0, /did not complete the header.*ffmpeg/],
  ['larger than its header can state', 28 * 3_600 * rate, 0xffffffff, /Larger than 4 GB.*RF64/],
])('15.67 a WAV file %s is refused with the remedy', async (_what, sampleBytes, dataBytes, reason) => {
  const path = await writeSparseWav(sampleBytes, { dataBytes, chunks: [monoFormat(rate, 8)] })
  await expect(readAudioTags(path)).rejects.toThrow(reason)
})

it('15.67 MP3 in free format is refused with the remedy', async () => {
  const path = await writeTrack('mp3-cbr.mp3', 5)
  const bytes = await readFile(path)
  for (let at = bytes.indexOf('fffb', 'hex'); at >= 0; at = bytes.indexOf('fffb', at + 2, 'hex')) {
    bytes[at + 2] = (bytes[at + 2] ?? 0) & 0x0f
  }
  await writeFile(path, bytes)
  await expect(readAudioTags(path)).rejects.toThrow(/free format.*encode it again/)
})

it.each([
  ['MP2', 'song.mp3', Buffer.from('fffd8400', 'hex'), /\.mp2 audio.*convert it to FLAC/],
  ['CAF', 'song.m4a', Buffer.from('caff\0\x01\0\0', 'latin1'), /\.caf audio.*convert it to FLAC/],
  ['AU', 'song.wav', Buffer.from('.snd\0\0\0\x18', 'latin1'), /\.au audio.*convert it to FLAC/],
])('17.125 %s is refused under any name, with what to do', async (_what, name, head, reason) => {
  const path = join(await makeFolder(), name)
  await writeFile(path, Buffer.concat([head, Buffer.alloc(4_096, 0x55)]))
  await expect(readAudioTags(path)).rejects.toThrow(reason)
})

it.each([
  ['Microsoft ADPCM', 2],
  ['IMA ADPCM', 0x11],
])('17.125 a WAV file in %s is refused with the remedy', async (_what, kind) => {
  const format = monoFormat(rate, 8)
  format.writeUInt16LE(kind, 8)
  const path = await writeSparseWav(60 * rate, { dataBytes: 60 * rate, chunks: [format] })
  await expect(readAudioTags(path)).rejects.toThrow(/compressed.*ffmpeg/)
})

it.each([6, 7])('17.125 a WAV file in format %i, which players know, is not', async (kind) => {
  const format = monoFormat(rate, 8)
  format.writeUInt16LE(kind, 8)
  const path = await writeSparseWav(60 * rate, { dataBytes: 60 * rate, chunks: [format] })
  expect((await readAudioTags(path)).durationMs).toBeGreaterThan(0)
})

it('17.125 MP3 whose sample rate changes is refused with the remedy', async () => {
  const path = await writeTrack('mp3-cbr.mp3', 60)
  const bytes = await readFile(path)
  const frames = listFrames(path).map(([offset, length]) => {
    const frame = Buffer.from(bytes.subarray(offset, offset + length))
    frame[2] = ((frame[2] ?? 0) & 0xf0) | 0x04 // 48 kHz, which shortens it
    return frame.subarray(0, 3 * Math.round((length * 44.1) / 144))
  })
  expect((await readAudioTags(path)).durationMs).toBeGreaterThan(59_000)
  await appendFile(path, Buffer.concat(frames))
  await expect(readAudioTags(path)).rejects.toThrow(/sample rate changes.*ffmpeg/)
})

/** Returns offset and length of the frames of an MP3 file. */
function listFrames(path: string): [number, number][] {
  const descriptor = openSync(path, 'r')
  onTestFinished(() => closeSync(descriptor))
  return [...readMp3Packets(new FileWindow(descriptor)).packets].flatMap(({ parts }) => parts)
}

it('17.125 MP3 files that were joined have the duration of all, whatever the first one counts', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 60)
  await appendFile(path, await readFile(path))
  const { durationMs } = await readAudioTags(path)
  expect(Math.abs((durationMs ?? 0) - countMs(path))).toBeLessThan(50)
  expect(durationMs).toBeGreaterThan(119_000)
})

/** Returns the duration of all frames of an MP3 file, ms. */
function countMs(path: string): number {
  const descriptor = openSync(path, 'r')
  onTestFinished(() => closeSync(descriptor))
  const { packets, timescale } = readMp3Packets(new FileWindow(descriptor))
  return ([...packets].reduce((sum, { duration }) => sum + duration, 0) * 1_000) / timescale
}

it.each(['mp3-cbr.mp3', 'mp3-vbr-no-table.mp3'])(
  '15.68 ten minutes of %s, which counts no frames, have the duration of its frames',
  async (name) => {
    const path = await writeTrack(name, 600)
    const { durationMs } = await readAudioTags(path)
    // Two seconds of an encoder's frames, again and again, are a little off its bit rate.
    expect(Math.abs((durationMs ?? 0) - countMs(path))).toBeLessThan(5)
  },
)

it('15.68 an MP3 file that begins with a constant bit rate and goes on with others is counted', async () => {
  const [constant, varying] = [
    await writeTrack('mp3-cbr.mp3', 10),
    await writeTrack('mp3-vbr-no-table.mp3', 60),
  ]
  const path = join(await makeFolder(), 'mixed.mp3')
  // The tag at the end is no sound.
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
  await writeFile(path, Buffer.concat([await readFile(constant), await readFile(varying), tag]))
  const { durationMs } = await readAudioTags(path)
  expect(Math.abs((durationMs ?? 0) - countMs(constant) - countMs(varying))).toBeLessThan(1)
})

it.each(['opus.opus', 'vorbis.ogg'])(
  '15.69 %s in which streams are chained has the duration of all of them',
  async (name) => {
    const path = await writeTrack(name, 12)
    const one = await readAudioTags(path)
    const link = await readFile(path)
    const next = Buffer.from(link)
    for (let at = next.indexOf('OggS'); at >= 0; at = next.indexOf('OggS', at + 4))
      next.writeUInt32LE(7, at + 14)
    await appendFile(path, next)
    const { durationMs } = await readAudioTags(path)
    expect(Math.abs((durationMs ?? 0) - 2 * (one.durationMs ?? 0))).toBeLessThan(50)
  },
)
