import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { makeWav } from '../../../test/wav.ts'
import { FileWindow } from '../seekable/audio-packets.ts'
import { hasWaveform, measureFile } from './measure-file.ts'
import { packetFormats } from './packet-decoders.ts'

const tones = join(import.meta.dirname, '../../../test/audio')

/** A WAV file of 16 bit: the first half silent, the second half loud. */
async function writeHalfSilent(seconds: number): Promise<string> {
  const samples = Buffer.alloc(8_000 * seconds)
  samples.fill(128, 0, samples.length / 2)
  for (let at = samples.length / 2; at < samples.length; at += 1) samples[at] = at % 2 ? 228 : 28
  const wav = makeWav({ durationMs: seconds * 1_000 })
  const path = join(await makeFolder(), 'half.wav')
  await writeFile(path, Buffer.concat([wav.subarray(0, 44), samples]))
  return path
}

describe('the waveform of a file', () => {
  it('17.77 follows the sound of a WAV file, short or long', async () => {
    for (const seconds of [1, 100]) {
      const peaks = await measureFile(await writeHalfSilent(seconds), 0)
      expect(peaks?.slice(0, 99)).toEqual(Array.from({ length: 99 }, () => 0))
      expect(peaks?.slice(101)).toEqual(Array.from({ length: 99 }, () => 255))
    }
  })

  it.each(['tone.mp3', 'tone.flac', 'tone.opus'])('17.77 of %s has 200 values', async (name) => {
    const peaks = await measureFile(join(tones, name), 520)
    expect(peaks).toHaveLength(200)
    expect(Math.max(...(peaks ?? []))).toBe(255)
  })

  it.each(['opus.opus', 'mp3-vbr-table.mp3', 'flac-44.flac'])(
    '17.77 of 70 s of noise in %s is even: gaps between what is decoded do not show',
    async (name) => {
      const path = join(await makeFolder(), name)
      longTracks.find((track) => track.name === name)?.write(path, 70)
      const peaks = (await measureFile(path, 70_000)) ?? []
      const middle = peaks.slice(5, 195)
      expect(peaks).toHaveLength(200)
      expect(Math.min(...middle)).toBeGreaterThan(0.4 * Math.max(...middle))
    },
  )

  it('17.77 after a gap no frame of FLAC is lost', async () => {
    const path = join(await makeFolder(), 'gaps.flac')
    longTracks.find((track) => track.name === 'flac-44.flac')?.write(path, 4)
    const descriptor = openSync(path, 'r')
    onTestFinished(() => closeSync(descriptor))
    const file = new FileWindow(descriptor)
    const format = packetFormats.get('.flac')!
    const audio = format.read(file)
    const frames = [...audio.packets].map(({ parts }) =>
      Buffer.concat(parts.map(([offset, length]) => Buffer.from(file.bytes(offset, length)))),
    )
    const decoder = await format.open(audio)
    for (const [from, to] of [
      [0, 2],
      [5, 7],
      [20, 23],
      [30, 32],
    ] as const) {
      const { channelData } = await decoder.decode(frames.slice(from, to), false)
      expect(channelData[0]).toHaveLength((to - from) * 4_096)
    }
    decoder.free()
  })

  it('17.77 a file that cannot be decoded has none', async () => {
    const path = join(await makeFolder(), 'broken.mp3')
    await writeFile(path, 'no audio at all')
    expect(await measureFile(path, 1_000)).toBeNull()
    const cut = join(await makeFolder(), 'cut.flac')
    await writeFile(cut, (await readFile(join(tones, 'tone.flac'))).subarray(0, 20))
    expect(await measureFile(cut, 1_000)).toBeNull()
    expect(await measureFile(join(tones, 'tone.ogg'), 520)).toBeNull()
    expect(hasWaveform('song.m4a')).toBe(false)
  })
})
