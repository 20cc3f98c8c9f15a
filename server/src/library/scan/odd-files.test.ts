import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { recordWebm } from '../../../test/webm.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { oggPages } from '../../../test/ogg.ts'
import { readAudioTags } from './audio-tags.ts'
import { measureAudio } from './durations/measured-duration.ts'

const tones = join(import.meta.dirname, '../../../test/audio')

async function writeTrack(name: string, seconds: number): Promise<string> {
  const path = join(await makeFolder(), name)
  longTracks.find((track) => track.name === name)?.write(path, seconds)
  return path
}

it.each([
  ['.wv', 'wvpk\x10\0\0\0'],
  ['.ape', 'MAC \x96\x0f'],
  ['.tta', 'TTA1\x01\0'],
  ['.tak', 'tBaK\x01\0'],
  ['.mpc', 'MPCKSH'],
  ['.mpc', 'MP+\x07'],
  ['.dsf', 'DSD \x1c\0'],
  ['.dff', 'FRM8\0\0'],
  ['.ra', '.ra\xfd\0\x04'],
  ['.amr', '#!AMR\n'],
  ['.w64', 'riff\x2e\x91\xcf\x11'],
  ['.dts', '\x7f\xfe\x80\x01'],
  ['.ac3', '\x0bw\0\0'],
])('17.191 %s audio is refused under the name of MP3, with what to do', async (extension, head) => {
  const path = join(await makeFolder(), 'named.mp3')
  // Most of them contain bytes that look like a frame of MP3.
  const frame = Buffer.from('fffb9064', 'hex')
  await writeFile(
    path,
    Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(4_000), frame, Buffer.alloc(4_096)]),
  )
  await expect(readAudioTags(path)).rejects.toThrow(`Browsers cannot play ${extension} audio`)
})

/** Copies of the pages of an Ogg file. */
function pagesOf(file: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = file.indexOf('OggS'); at >= 0; at = file.indexOf('OggS', at + 4)) starts.push(at)
  return starts.map((at, index) => Buffer.from(file.subarray(at, starts[index + 1])))
}

it.each([
  ['opus.opus', 2],
  ['vorbis.ogg', 3],
])('17.190 a recording of a station in %s lasts as long as its sound', async (name, headerPages) => {
  const path = await writeTrack(name, 60)
  const pages = pagesOf(await readFile(path))
  const recorded = [...pages.slice(0, headerPages), ...pages.slice(Math.floor(pages.length / 2))]
  await writeFile(path, Buffer.concat(recorded))
  const { durationMs } = await readAudioTags(path)
  expect(durationMs).toBeGreaterThan(28_000)
  expect(durationMs).toBeLessThan(34_000)
})

it.each(['opus.opus', 'vorbis.ogg'])(
  '17.190 %s that was joined to itself has the duration of both',
  async (name) => {
    const path = await writeTrack(name, 60)
    const one = await readAudioTags(path)
    await appendFile(path, await readFile(path))
    const { durationMs } = await readAudioTags(path)
    expect(Math.abs((durationMs ?? 0) - 2 * (one.durationMs ?? 0))).toBeLessThan(50)
  },
)

it('17.190 FLAC whose shortest block is stated as that of its end has its duration', async () => {
  const path = await writeTrack('flac-44.flac', 20)
  const { durationMs } = await readAudioTags(path)
  const bytes = await readFile(path)
  bytes.writeUInt16BE(16, 8)
  await writeFile(path, bytes)
  expect((await readAudioTags(path)).durationMs).toBe(durationMs)
})

it.each([0, Number.NaN, -5, Number.POSITIVE_INFINITY])(
  '17.190 WebM whose recorder left %d as its duration has that of its blocks',
  async (placeholder) => {
    const path = join(await makeFolder(), 'recording.webm')
    const bytes = await readFile(join(tones, 'tone.webm'))
    bytes.writeDoubleBE(placeholder, bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3)
    await writeFile(path, bytes)
    // To the end of its last packet (10.12b).
    expect((await readAudioTags(path)).durationMs).toBe(521)
  },
)

it.each(['mp3', 'aac'])(
  '17.194 garbage under the name of %s is refused without being read whole',
  async (name) => {
    const path = join(await makeFolder(), `garbage.${name}`)
    // Much looks like the beginning of a frame; the parser of tags would be at it for minutes.
    await writeFile(path, Buffer.alloc(2_000_000, 0xff))
    await expect(readAudioTags(path)).rejects.toThrow('No audio in it: there is no frame at its start')
    // 20 GB of zeros.
    await writeFile(path, '')
    await truncate(path, 20 * 2 ** 30)
    await expect(readAudioTags(path)).rejects.toThrow('No audio in it: there is no frame at its start')
  },
)

const tone = (name: string): Promise<Buffer> => readFile(join(tones, name))

/** Writes a file that goes on with 3 GB of zeros, of which the disk stores none. */
async function writeWithZeros(name: string, start: Buffer): Promise<string> {
  const path = join(await makeFolder(), name)
  await writeFile(path, start)
  await truncate(path, 3_000_000_000)
  return path
}

it('15.96 AAC and MP3 with gigabytes of zeros behind the sound last as long as the sound', async () => {
  for (const name of ['tone.aac', 'tone.mp3']) {
    const path = await writeWithZeros(name, await tone(name))
    const { durationMs } = await readAudioTags(path)
    expect({ name, isTone: durationMs !== null && durationMs > 450 && durationMs < 600 }).toEqual({
      name,
      isTone: true,
    })
  }
})

it('15.96 those with hardly a frame before the zeros are refused at once', async () => {
  const aac = await tone('tone.aac')
  const second = aac.indexOf(aac.subarray(0, 3), 7)
  const third = aac.indexOf(aac.subarray(0, 3), second + 7)
  const starts = {
    'short.aac': aac.subarray(0, third),
    'short.mp3': (await tone('two-seconds/cbr.mp3')).subarray(0, 1_000),
  }
  for (const [name, start] of Object.entries(starts)) {
    const path = await writeWithZeros(name, start)
    await expect(readAudioTags(path)).rejects.toThrow('Hardly any audio in it')
  }
})

it('15.97 Speex in Ogg, which no browser plays, is refused under the name of Ogg', async () => {
  const head = Buffer.concat([Buffer.from('Speex   1.2.0'), Buffer.alloc(67)])
  const path = join(await makeFolder(), 'voice.ogg')
  await writeFile(
    path,
    Buffer.concat(oggPages([head, Buffer.alloc(20)], [{ bytes: Buffer.alloc(60), duration: 320 }])),
  )
  await expect(readAudioTags(path)).rejects.toThrow('Browsers cannot play .spx audio')
})

/** Replaces the duration in a box by 0; `at` is where it is in the content. */
function withoutDuration(file: Buffer, type: string, at: number): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt32BE(0, copy.indexOf(type, 0, 'latin1') + 4 + at)
  return copy
}

it('17.335 a recording in WebM whose clusters state no size is listed with its duration, gaps included', async () => {
  for (const gapMs of [0, 400]) {
    const path = join(await makeFolder(), 'recording.webm')
    await writeFile(path, recordWebm('noise.opus', { gapMs }))
    const { title, durationMs } = await readAudioTags(path)
    expect(title).toBe('recording')
    expect(Math.abs((durationMs ?? 0) - (2_000 + gapMs))).toBeLessThan(50)
  }
})

it('15.98 an M4A file whose track states no duration has that of its samples', async () => {
  const whole = join(tones, 'tone.m4a')
  const { durationMs } = await readAudioTags(whole)
  const path = join(await makeFolder(), 'unstated.m4a')
  const unstated = withoutDuration(withoutDuration(await tone('tone.m4a'), 'mdhd', 16), 'mvhd', 16)
  await writeFile(path, unstated)
  expect(Math.abs(((await readAudioTags(path)).durationMs ?? 0) - (durationMs ?? 0))).toBeLessThan(50)
})

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}
const boxOf = (type: string, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

it.each([
  ['15.98 so does one in fragments, with durations of each sample, of a fragment and of the track', 0],
  ['17.335 so does one whose recorder stated the duration of a part', 12],
])('%s', async (_title, statedMs) => {
  const mdhd = boxOf('mdhd', u32(0, 0, 0, 1_000, statedMs, 0))
  const hdlr = boxOf('hdlr', u32(0, 0), Buffer.from('soun'), Buffer.alloc(13))
  const table = boxOf('stbl', boxOf('stts', u32(0, 0)))
  const track = boxOf('trak', boxOf('tkhd', u32(0, 0, 0, 7)), boxOf('mdia', mdhd, hdlr, boxOf('minf', table)))
  const moov = boxOf('moov', track, boxOf('mvex', boxOf('trex', u32(0, 7, 1, 20, 0, 0))))
  const fragment = (id: number, tfhd: Buffer, trun: Buffer): Buffer =>
    boxOf(
      'moof',
      boxOf('traf', boxOf('tfhd', tfhd.subarray(0, 4), u32(id), tfhd.subarray(4)), boxOf('trun', trun)),
    )
  const fragments = [
    fragment(7, u32(0), u32(0, 50)), // 50 of the track's 20 ms
    fragment(7, u32(8, 30), u32(0, 10)), // 10 of the fragment's 30 ms
    fragment(7, u32(1, 0, 0), u32(0x301, 2, 0, 100, 9, 200, 9)), // 100 and 200 ms, with sizes
    fragment(8, u32(0), u32(0, 99)), // of another track
  ]
  const path = join(await makeFolder(), 'fragments.m4a')
  await writeFile(path, Buffer.concat([boxOf('ftyp', Buffer.from('M4A ')), moov, ...fragments]))
  expect(measureAudio(path).durationMs).toBe(1_600)
})
