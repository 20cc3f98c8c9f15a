import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chunk, makeTextTag, monoFormat } from '../../../server/test/wav.ts'
import { recordedRate } from './recording.ts'

/** Encoder arguments of ffmpeg, by the ending of the file. */
const encoders = {
  opus: ['-c:a', 'libopus', '-b:a', '128k'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '192k'],
  m4a: ['-c:a', 'aac', '-b:a', '192k'],
  flac: ['-c:a', 'flac'],
}

export type Encoding = keyof typeof encoders

/**
 * Creates a music folder of noise tracks. Each differs from the others, so recordings can be told apart and aligned. WAV
 * files, or encoded by ffmpeg.
 */
export function makeNoiseFolder(
  tracks: { title: string; seconds: number }[],
  encoding?: Encoding,
): {
  path: string
  remove(): void
} {
  const path = mkdtempSync(join(tmpdir(), 'earshot-noise-'))
  tracks.forEach((track, index) => {
    const wav = makeNoiseWav({ ...track, seed: index + 1 })
    if (encoding) encode(wav, join(path, `${track.title}.${encoding}`), encoding)
    else writeFileSync(join(path, `${track.title}.wav`), wav)
  })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function encode(wav: Buffer, path: string, encoding: Encoding): void {
  execFileSync('ffmpeg', ['-loglevel', 'error', '-i', '-', ...encoders[encoding], path], { input: wav })
}

/**
 * Makes a mono 16-bit WAV file of pink-ish noise, which shows small delays best, with title and artist as RIFF INFO tags.
 * The same seed makes the same noise.
 */
export function makeNoiseWav(options: {
  seconds: number
  title: string
  seed: number
  /** Samples per second. Default: those of a recording. */
  rate?: number
  /** Stated as its ReplayGain. */
  gainDb?: number
}): Buffer {
  const { rate = recordedRate, gainDb } = options
  const frames = Math.round(options.seconds * rate)
  const samples = Buffer.alloc(frames * 2)
  let state = options.seed >>> 0
  let low = 0
  for (let frame = 0; frame < frames; frame += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const white = state / 2 ** 31 - 1
    low = 0.9 * low + 0.1 * white
    samples.writeInt16LE(Math.round((0.15 * white + 0.5 * low) * 12_000), frame * 2)
  }
  const info = Buffer.concat([
    Buffer.from('INFO'),
    chunk('INAM', Buffer.from(`${options.title}\0`)),
    chunk('IART', Buffer.from('Noise Lab\0')),
  ])
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    monoFormat(rate, 16),
    chunk('LIST', info),
    chunk('data', samples),
    ...(gainDb === undefined ? [] : [chunk('id3 ', gainTag(gainDb))]),
  ])
  return chunk('RIFF', body)
}

const gainTag = (gainDb: number): Buffer => makeTextTag(3, [['TXXX', `REPLAYGAIN_TRACK_GAIN\0${gainDb} dB`]])
