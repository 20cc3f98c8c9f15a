import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { sampleRate } from './signal/stereo.ts'

const encoderCommand = 'opusenc'

export interface OpusFile {
  path: string
  /** A JPEG file that becomes the front cover inside of the Opus file. */
  coverPath: string
  kilobitsPerSecond: number
  /** Written into the stream instead of a random one, so that the same sound gives the same file. */
  serial: number
  /** Vorbis comments. */
  tags: Readonly<Record<string, string>>
}

/** Returns what to install if the encoder is missing, otherwise null. */
export function findEncoderProblem(): string | null {
  if (spawnSync(encoderCommand, ['--version'], { stdio: 'ignore' }).status === 0) return null
  return `${encoderCommand} is missing. On Debian or Ubuntu: apt-get install opus-tools`
}

/** Encodes interleaved stereo of 24 bits (see `toPcm`). Throws with the encoder's words when it fails. */
export async function encodeOpus(pcm: Uint8Array, file: OpusFile): Promise<void> {
  const comments = Object.entries(file.tags).flatMap(([name, value]) => ['--comment', `${name}=${value}`])
  const raw = ['--raw', '--raw-bits', '24', '--raw-rate', String(sampleRate), '--raw-chan', '2']
  const quality = ['--quiet', '--music', '--comp', '10', '--bitrate', String(file.kilobitsPerSecond)]
  const extras = ['--padding', '0', '--serial', String(file.serial), '--picture', `3||||${file.coverPath}`]
  const encoder = spawn(encoderCommand, [...quality, ...raw, ...extras, ...comments, '-', file.path], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let complaint = ''
  encoder.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
  // An encoder that ends early closes its input; its exit code and words say why.
  encoder.stdin.on('error', () => {})
  encoder.stdin.end(pcm)
  const [code] = (await once(encoder, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${encoderCommand} failed on ${file.path}: ${complaint.trim()}`)
}
