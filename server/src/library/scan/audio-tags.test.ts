import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flacFrame, flacHead } from '../../../test/flac.ts'
import { makeTextTag, makeWav, tinyPng } from '../../../test/wav.ts'
import { cleanTagText, readAudioTags, readCover, tagsFromFileName } from './audio-tags.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'

const tones = join(import.meta.dirname, '../../../test/audio')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-tags-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('the tags of an audio file', () => {
  it.each([
    ['tone.opus', 'Shelf', null],
    ['tone.ogg', 'Shelf', null],
    ['tone.mp3', 'Shelf', expect.any(String)],
    ['tone.m4a', 'Shelf', expect.any(String)],
    ['tone.flac', 'Shelf', expect.any(String)],
    ['tone.webm', '', null],
  ])('of %s', async (name, album, coverHash) => {
    const tags = await readAudioTags(join(tones, name))
    expect(tags).toMatchObject({
      title: 'Tone',
      artist: 'Maker',
      album,
      coverHash,
    })
    expect(tags.durationMs).toBeGreaterThanOrEqual(490)
    expect(tags.durationMs).toBeLessThan(580)
  })

  it('come from the name where the format has none', async () => {
    const path = await write('Maker - Bare Tone.aac', await readFile(join(tones, 'tone.aac')))
    const tags = await readAudioTags(path)
    expect(tags).toMatchObject({ title: 'Bare Tone', artist: 'Maker', album: '', coverHash: null })
    expect(tags.durationMs).toBeGreaterThan(490)
  })

  it('are completed from the name one by one', async () => {
    const path = await write(
      'Maker - Named.wav',
      makeWav({ title: 'Tagged', album: 'Shelf', durationMs: 250 }),
    )
    const tags = { title: 'Tagged', artist: 'Maker', album: 'Shelf', durationMs: 250, coverHash: null }
    const place = { albumArtist: 'Maker', year: null, discNumber: null, trackNumber: null }
    const loudness = { gainDb: null, peak: null, albumGainDb: null, albumPeak: null }
    expect(await readAudioTags(path)).toEqual({ ...tags, ...place, ...loudness })
  })

  it('17.71 state the place on the album; a number that is missing is taken from the name', async () => {
    const info = { title: 'Three', artist: 'Maker', album: 'Shelf' }
    const stated = await write('07 Named.wav', makeWav({ ...info, track: '3/12', date: '1988-04-01' }))
    expect(await readAudioTags(stated)).toMatchObject({ trackNumber: 3, year: 1988, albumArtist: 'Maker' })
    const named = await write('07 Unnumbered.wav', makeWav({ ...info, date: 'unknown' }))
    expect(await readAudioTags(named)).toMatchObject({ trackNumber: 7, year: null })
  })

  it.each([
    ['of ID3v2.3 keeps its slashes', 3, [['TPE1', 'AC/DC']], 'AC/DC', 'AC/DC'],
    [
      'of an album keeps them too',
      3,
      [
        ['TPE1', 'Ann'],
        ['TPE2', 'AC/DC'],
      ],
      'Ann',
      'AC/DC',
    ],
    ['of ID3v2.4 has all its values', 4, [['TPE1', 'Ann\0Bob\0Cem']], 'Ann, Bob, Cem', 'Ann'],
    [
      'is not replaced by a list of artists',
      4,
      [
        ['TPE1', 'Ann feat. Bob'],
        ['TXXX', 'ARTISTS\0Ann\0Bob'],
      ],
      'Ann feat. Bob',
      'Ann',
    ],
    [
      'of a compilation without one is not its track’s',
      3,
      [
        ['TPE1', 'AC/DC'],
        ['TCMP', '1'],
      ],
      'AC/DC',
      'Various Artists',
    ],
  ] as const)('15.116 the artist %s', async (_what, version, frames, artist, albumArtist) => {
    const audio = await readFile(join(tones, 'tone.mp3'))
    const start = 10 + [6, 7, 8, 9].reduce((size, at) => size * 128 + audio[at]!, 0)
    const tag = makeTextTag(
      version,
      frames.map(([id, text]) => [id, text]),
    )
    const path = await write('artists.mp3', Buffer.concat([tag, audio.subarray(start)]))
    expect(await readAudioTags(path)).toMatchObject({ artist, albumArtist })
  })

  it('15.116 of FLAC state every ARTIST', async () => {
    const comments = ['ARTIST=Ann', 'ARTIST=Bob', 'ALBUM=Sea']
    const head = flacHead({ sampleRate: 44_100, bits: 16, frames: 1, comments })
    const path = await write('duet.flac', Buffer.concat([head, flacFrame(0, 16)]))
    expect(await readAudioTags(path)).toMatchObject({ artist: 'Ann, Bob', albumArtist: 'Ann' })
  })

  it.each([
    ['Chapter 10.wav', 10, null],
    ['Part 2 - Ann.wav', 2, null],
    ['10 Blue.wav', 10, null],
    ['2-07 Blue.wav', 7, 2],
    ['Blue.wav', null, null],
  ])('15.126 of %s without tags have the number %s, on disc %s', async (name, trackNumber, discNumber) => {
    expect(await readAudioTags(await write(name, makeWav()))).toMatchObject({ trackNumber, discNumber })
  })

  it('15.126 take no number out of the name of a file with a title', async () => {
    const path = await write('Symphony 9.wav', makeWav({ title: 'Symphony' }))
    expect(await readAudioTags(path)).toMatchObject({ trackNumber: null })
  })

  it.each([
    ['25.12.1999', 1999],
    ['12/1999', 1999],
    ['1988-04-01', 1988],
    ['25', null],
  ])('15.123 of the date %s state the year %s', async (date, year) => {
    const path = await write('dated.wav', makeWav({ title: 'One', date }))
    expect(await readAudioTags(path)).toMatchObject({ year })
  })

  it('count only a cover that is an image browsers draw', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    const drawn = await write('drawn.wav', makeWav({ cover: tinyPng }))
    const scripted = await write('scripted.wav', makeWav({ cover: svg, coverMimeType: 'image/png' }))
    expect(await readAudioTags(drawn)).toMatchObject({ coverHash: expect.any(String) })
    expect(await readCover(drawn)).toEqual(new Uint8Array(tinyPng))
    expect(await readAudioTags(scripted)).toMatchObject({ coverHash: null })
    expect(await readCover(scripted)).toBeNull()
  })

  it('15.128 count no cover of more than 20 MB', async () => {
    const cover = Buffer.concat([tinyPng, Buffer.alloc(20 * 1024 * 1024)])
    const path = await write('large.wav', makeWav({ cover }))
    expect(await readAudioTags(path)).toMatchObject({ coverHash: null })
    expect(await readCover(path)).toBeNull()
  })

  it('16.111 of FLAC from a pipe, which states no length, include the sum of its frames', async () => {
    const head = flacHead({ sampleRate: 44_100, bits: 16, frames: 0 })
    const frames = [0, 1, 2].map((number) => flacFrame(number, 16))
    const path = await write('Piped.flac', Buffer.concat([head, ...frames]))
    expect(await readAudioTags(path)).toMatchObject({ title: 'Piped', durationMs: 279 })
    const silent = await write('Without a frame.flac', head)
    await expect(readAudioTags(silent)).rejects.toThrow(UnreadableAudioError)
  })

  it('16.112 are refused with a short reason, however much is wrong', async () => {
    // Looks like frames of MP3, with bit rates that do not exist.
    const path = await write('Wrong.mp3', Buffer.from('fffbfc00'.repeat(2_000), 'hex'))
    const failure = await readAudioTags(path).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnreadableAudioError)
    expect(String(failure).length).toBeLessThan(300)
  })

  it('10.12b of a recording that states no duration include the one found at its end', async () => {
    const recording = await readFile(join(tones, 'tone.webm'))
    // Turns the Duration element (0x4489) into one that readers skip (Void, with a size field of two bytes).
    const at = recording.indexOf(Buffer.from([0x44, 0x89, 0x88]))
    expect(at).toBeGreaterThan(0)
    recording.set([0xec, 0x40, 0x08], at)
    const path = await write('recording.webm', recording)
    expect(await readAudioTags(path)).toMatchObject({ artist: 'Maker', durationMs: 521 })
  })
})

describe('a file that is not the audio its name says', () => {
  const extensions = ['opus', 'ogg', 'mp3', 'm4a', 'aac', 'flac', 'wav', 'webm']
  const nonsense = (extension: string): [string, Buffer][] => [
    [`page.${extension}`, Buffer.from('<!doctype html><title>Not found</title>'.repeat(40))],
    [`zeros.${extension}`, Buffer.alloc(6_000)],
    [`short.${extension}`, Buffer.from('OggS')],
    [`image.${extension}`, tinyPng],
  ]

  it.each(extensions.flatMap(nonsense))('%s is refused with a reason', async (name, content) => {
    const path = await write(name, content)
    const error = await readAudioTags(path).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableAudioError)
    expect((error as Error).message).not.toMatch(/undefined|DataView|TypeError/)
  })

  it.each(['opus', 'ogg', 'm4a'])('%s that is truncated is rejected', async (extension) => {
    const whole = await readFile(join(tones, `tone.${extension}`))
    const path = await write(`cut.${extension}`, whole.subarray(0, 300))
    await expect(readAudioTags(path)).rejects.toThrow(UnreadableAudioError)
  })

  it('that claims to last longer than a week is rejected', async () => {
    const slow = makeWav({ durationMs: 80_000 })
    const setSampleRate = (hertz: number) => {
      slow.writeUInt32LE(hertz, 24)
      slow.writeUInt32LE(hertz, 28)
    }
    setSampleRate(2)
    const days = await readAudioTags(await write('days.wav', slow))
    expect(days.durationMs).toBe(320_000_000)
    setSampleRate(1)
    const tooLong = readAudioTags(await write('week.wav', slow))
    await expect(tooLong).rejects.toThrow('It claims to last longer than a week')
  })

  it('is distinguished from a file that cannot be read', async () => {
    await expect(readAudioTags(join(folder, 'missing.wav'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the text of a tag', () => {
  it.each([
    [undefined, ''],
    ['  Blue\u0000\u0000', 'Blue'],
    ['Two\r\nlines\tand  blanks', 'Two lines and blanks'],
    ['Cafe\u0301', 'Café'],
    ['BjÃ¶rk', 'Björk'],
    ['CafÃ© æ\u0097¥æ\u009c¬', 'Café 日本'],
    ['Björk', 'Björk'],
    ['Ã la carte', 'Ã la carte'],
    ['日本', '日本'],
  ])('%j is displayed as %j', (text, shown) => {
    expect(cleanTagText(text)).toBe(shown)
  })

  it('is at most 500 characters, without half a surrogate pair', () => {
    expect(cleanTagText('a'.repeat(600))).toHaveLength(500)
    const shown = cleanTagText(`${'a'.repeat(499)}🎵`)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown).toHaveLength(500)
  })
})

describe('tags from a file name', () => {
  it.each([
    ['Nina - Sinnerman.flac', 'Sinnerman', 'Nina'],
    ['some/folder/Nina - Sinnerman.live.mp3', 'Sinnerman.live', 'Nina'],
    ['Sinnerman.ogg', 'Sinnerman', ''],
    ['01 - Sinnerman.ogg', 'Sinnerman', ''],
    ['01 Sinnerman.ogg', 'Sinnerman', ''],
    ['3. Nina - Sinnerman.ogg', 'Sinnerman', 'Nina'],
    ['07_Nina_Simone_-_Feeling_Good.mp3', 'Feeling Good', 'Nina Simone'],
    ['Nina - 05 - Sinnerman.mp3', 'Sinnerman', 'Nina'],
    ['Nina – Sinnerman - Live.mp3', 'Sinnerman - Live', 'Nina'],
    ['50 Cent - In Da Club.mp3', 'In Da Club', '50 Cent'],
    ['1979.mp3', '1979', ''],
    ['1-01 Sinnerman.m4a', 'Sinnerman', ''],
    ['2-11 Nina - Sinnerman.m4a', 'Sinnerman', 'Nina'],
    ['07.mp3', '07', ''],
    ['Jay-Z - 99 Problems.mp3', '99 Problems', 'Jay-Z'],
  ])('%s', (path, title, artist) => {
    expect(tagsFromFileName(path)).toEqual({ title, artist })
  })
})
