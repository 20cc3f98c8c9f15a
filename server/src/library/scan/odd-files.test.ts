import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { readAudioTags } from './audio-tags.ts'

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
  // What looks like a frame of MP3 is in most of them somewhere.
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
