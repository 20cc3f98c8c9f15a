import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IAudioMetadata } from 'music-metadata'
import { describe, expect, it } from 'vitest'
import { flacFrame, flacHead } from '../../../test/flac.ts'
import { makeFolder } from '../../../test/folders.ts'
import { chunk, makeTextTag, makeWav } from '../../../test/wav.ts'
import { readAudioTags } from './audio-tags.ts'
import { readLoudnessTags } from './loudness-tags.ts'

const tones = join(import.meta.dirname, '../../../test/audio')
const tone = (name: string): Promise<Buffer> => readFile(join(tones, name))

const gain = ['REPLAYGAIN_TRACK_GAIN', '-7.54 dB'] as const
const peak = ['REPLAYGAIN_TRACK_PEAK', '0.988553'] as const
const stated = { gainDb: -7.54, peak: 0.988553 }
const album = { albumGainDb: -6.1, albumPeak: 1 }

/** As foobar2000 names them. */
const lowerCase = [gain, peak].map(([name, value]): [string, string] => [
  'TXXX',
  `${name.toLowerCase()}\0${value}`,
])

/** An APEv2 tag, as mp3gain puts it behind an MP3 file. */
function apeTag(texts: readonly (readonly [name: string, value: string])[]): Buffer {
  const items = texts.map(([name, value]) => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(value.length)
    return Buffer.concat([head, Buffer.from(`${name}\0${value}`)])
  })
  const body = Buffer.concat(items)
  const footer = Buffer.alloc(32)
  footer.write('APETAGEX')
  footer.writeUInt32LE(2_000, 8)
  footer.writeUInt32LE(body.length + footer.length, 12)
  footer.writeUInt32LE(items.length, 16)
  return Buffer.concat([body, footer])
}

/** The tone with texts of iTunes's free form. Its list of tags, and so each box around it, is at the end of the file. */
async function m4aWith(texts: readonly (readonly [name: string, value: string])[]): Promise<Buffer> {
  const file = await tone('tone.m4a')
  const box = (type: string, ...content: (Buffer | string)[]): Buffer => {
    const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
    const head = chunk(type, Buffer.alloc(0)).subarray(0, 8)
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length + head.length)
    return Buffer.concat([size, head.subarray(0, 4), body])
  }
  const version = Buffer.alloc(4)
  const text = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])
  const added = Buffer.concat(
    texts.map(([name, value]) =>
      box(
        '----',
        box('mean', version, 'com.apple.iTunes'),
        box('name', version, name.toLowerCase()),
        box('data', text, value),
      ),
    ),
  )
  for (const type of ['moov', 'udta', 'meta', 'ilst']) {
    const at = file.lastIndexOf(type) - 4
    file.writeUInt32BE(file.readUInt32BE(at) + added.length, at)
  }
  return Buffer.concat([file, added])
}

const flacWith = (comments: string[]): Buffer =>
  Buffer.concat([flacHead({ sampleRate: 44_100, bits: 16, frames: 1, comments }), flacFrame(0, 16)])

describe('the loudness that a file states', () => {
  it.each([
    ['Matroska', 'tone.webm', () => tone('loudness/tone.webm'), stated],
    ['Vorbis', 'tone.ogg', () => tone('loudness/tone.ogg'), stated],
    ['ID3v2.4', 'tone.mp3', () => tone('loudness/tone.mp3'), stated],
    // -3210 / 256 dB, relative to -23 LUFS.
    ['Opus', 'tone.opus', () => tone('loudness/tone.opus'), { gainDb: -7.54, peak: null }],
    ['M4A', 'tone.m4a', () => m4aWith([gain, peak]), stated],
    [
      'FLAC',
      'tone.flac',
      () =>
        flacWith([
          ...[gain, peak].map((pair) => pair.join('=')),
          'REPLAYGAIN_ALBUM_GAIN=-6.1 dB',
          'REPLAYGAIN_ALBUM_PEAK=1',
        ]),
      { ...stated, ...album },
    ],
    [
      'ID3v2.3',
      'old.mp3',
      async () => Buffer.concat([makeTextTag(3, lowerCase), await tone('two-seconds/cbr.mp3')]),
      stated,
    ],
    [
      'APEv2',
      'ape.mp3',
      async () => Buffer.concat([await tone('two-seconds/cbr.mp3'), apeTag([gain, peak])]),
      stated,
    ],
    ['WAV', 'tone.wav', () => makeWav({ frames: lowerCase }), stated],
    ['a file without tags', 'bare.mp3', () => tone('two-seconds/cbr.mp3'), { gainDb: null, peak: null }],
  ])('17.485 is read from the tags of %s', async (_format, name, make, expected) => {
    const path = join(await makeFolder(), name)
    await writeFile(path, await make())
    expect(await readAudioTags(path)).toMatchObject(expected)
  })

  it('17.485 R128 counts in Opus only, as what is left of a file that was converted states the loudness of before', async () => {
    const path = join(await makeFolder(), 'converted.flac')
    const tags = ['R128_TRACK_GAIN=-2560', 'R128_ALBUM_GAIN=-2560', 'REPLAYGAIN_TRACK_GAIN=-3 dB']
    await writeFile(path, flacWith([...tags, 'REPLAYGAIN_TRACK_PEAK=0.5']))
    expect(await readAudioTags(path)).toMatchObject({ gainDb: -3, peak: 0.5, albumGainDb: null })
  })

  it('17.485 the gain and the peak are of one kind of tags', async () => {
    const path = join(await makeFolder(), 'both.mp3')
    const id3 = makeTextTag(3, [['TXXX', `${gain[0]}\0${gain[1]}`]])
    const ape = apeTag([['REPLAYGAIN_TRACK_GAIN', '-2 dB'], peak])
    await writeFile(path, Buffer.concat([id3, await tone('two-seconds/cbr.mp3'), ape]))
    expect(await readAudioTags(path)).toMatchObject({ gainDb: -7.54, peak: null })
  })
})

const readAll = (texts: Record<string, string>, codec = 'FLAC') => {
  const some = Object.entries(texts).map(([id, value]) => ({ id, value }))
  return readLoudnessTags({ format: { codec }, native: { some } } as unknown as IAudioMetadata)
}
const read = (id: string, value: string, codec?: string) => readAll({ [id]: value }, codec)

it('17.485 R128 counts first in Opus, in Ogg and in Matroska', () => {
  const texts = { REPLAYGAIN_TRACK_GAIN: '-3 dB', R128_TRACK_GAIN: '256', R128_ALBUM_GAIN: '-512' }
  for (const codec of ['Opus', 'OPUS'])
    expect(readAll(texts, codec)).toMatchObject({ gainDb: 6, albumGainDb: 3 })
})

it.each([
  ['-7.54dB', -7.54],
  ['+3,2 DB', 3.2],
  ['-6', -6],
  ['-7.54 dB\0', -7.54],
  ['64.82 dB', null],
  ['-inf dB', null],
  ['loud', null],
  ['', null],
])('17.485 the gain %j is %s', (text, gainDb) => {
  expect(read('REPLAYGAIN_TRACK_GAIN', text).gainDb).toBe(gainDb)
})

it.each([
  ['1.122018', 1.122018],
  ['0,5', 0.5],
  ['9.8e-05', 0.000098],
  ['0.000000', null],
  ['0.0000001', null],
  ['-1', null],
  ['Infinity', null],
  ['32767', null],
  ['', null],
])('17.485 the peak %j is %s', (text, peak) => {
  expect(read('REPLAYGAIN_TRACK_PEAK', text).peak).toBe(peak)
})

it.each([
  ['R128_TRACK_GAIN', '-1280', 0],
  ['R128_TRACK_GAIN', '-5.0', null],
  ['R128_TRACK_GAIN', '32767', null],
  ['R128_ALBUM_GAIN', '-1280', null],
  ['track:REPLAYGAIN_GAIN', '-2 dB', -2],
  ['album:REPLAYGAIN_GAIN', '-2 dB', null],
  ['album:REPLAYGAIN_TRACK_GAIN', '-2 dB', -2],
  ['REPLAYGAIN_ALBUM_GAIN', '-2 dB', null],
])('17.485 %s of %s is a gain of the track of %s', (id, text, gainDb) => {
  expect(read(id, text, 'Opus').gainDb).toBe(gainDb)
})

it.each([
  ['REPLAYGAIN_ALBUM_GAIN', 'FLAC', -2],
  ['album:REPLAYGAIN_GAIN', 'FLAC', -2],
  ['track:REPLAYGAIN_GAIN', 'FLAC', null],
  ['REPLAYGAIN_TRACK_GAIN', 'FLAC', null],
])('17.485 %s in %s is a gain of the album of %s', (id, codec, gainDb) => {
  expect(read(id, '-2 dB', codec).albumGainDb).toBe(gainDb)
})
