import { UnindexableError, type FileWindow } from '../seekable/audio-packets.ts'
import type { PartLevels } from './part-levels.ts'

/** The samples of a WAV file, as they lie in it. */
export interface WavFormat {
  /** Whether 64 bits state its length (EBU Tech 3306). */
  isRf64: boolean
  channels: number
  sampleRate: number
  bytesPerSample: number
  isFloat: boolean
  /** Of all channels, in bytes. */
  frameBytes: number
  dataAt: number
  dataBytes: number
}

/** The samples are of another kind than is read here. */
export class UnknownSamplesError extends UnindexableError {
  /** The format's number in the header. */
  readonly kind: number

  constructor(kind: number) {
    super('Unknown samples')
    this.kind = kind
  }
}

const partBytes = 64 * 1024
const pcm = 1
const float = 3
const extensible = 0xfffe

/** Measures a WAV file: whole where it is short, otherwise parts of it at equal distances. */
export function measureWav(file: FileWindow, levels: PartLevels, maxBytes: number): void {
  const format = readWavFormat(file)
  const { dataAt, dataBytes, frameBytes, sampleRate } = format
  const count = Math.ceil(Math.min(dataBytes, maxBytes) / partBytes)
  const step = Math.max(partBytes, dataBytes / count)
  for (let part = 0; part < count; part += 1) {
    const frame = Math.floor((part * step) / frameBytes)
    const length = Math.min(partBytes, dataBytes - frame * frameBytes)
    const bytes = file.bytes(dataAt + frame * frameBytes, length)
    levels.add(readSamples(bytes, format), frame / sampleRate, sampleRate)
  }
}

/** Returns the duration that the samples have, in s. */
export function wavDurationS(file: FileWindow): number {
  const { dataBytes, frameBytes, sampleRate } = readWavFormat(file)
  return dataBytes / frameBytes / sampleRate
}

/** Finds the samples of a WAV file, as far as they are in it. @throws UnindexableError where there are none */
export function readWavFormat(file: FileWindow): WavFormat {
  const isRf64 = file.bytes(0, 4).toString('latin1') === 'RF64'
  let format: SampleFormat | null = null
  let longLength: number | null = null
  for (let at = 12; at + 8 <= file.size;) {
    const head = file.bytes(at, 8)
    const id = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const dataAt = at + 8
    if (id === 'ds64' && isRf64) longLength = Number(file.bytes(dataAt, 16).readBigUInt64LE(8))
    if (id === 'fmt ') format = parseFormat(Buffer.from(file.bytes(dataAt, Math.min(length, 40))))
    if (id === 'data' && format) {
      return { ...format, isRf64, dataAt, dataBytes: Math.min(longLength ?? length, file.size - dataAt) }
    }
    at += 8 + length + (length % 2)
  }
  throw new UnindexableError('There are no samples')
}

type SampleFormat = Omit<WavFormat, 'isRf64' | 'dataAt' | 'dataBytes'>

function parseFormat(bytes: Buffer): SampleFormat {
  const stated = bytes.readUInt16LE(0)
  const kind = stated === extensible ? bytes.readUInt16LE(24) : stated
  const channels = bytes.readUInt16LE(2)
  const sampleRate = bytes.readUInt32LE(4)
  const bytesPerSample = bytes.readUInt16LE(14) / 8
  const isFloat = kind === float
  const isKnown = isFloat ? bytesPerSample === 4 : kind === pcm && [1, 2, 3, 4].includes(bytesPerSample)
  if (!isKnown || channels === 0 || sampleRate === 0) throw new UnknownSamplesError(kind)
  return { channels, sampleRate, bytesPerSample, isFloat, frameBytes: channels * bytesPerSample }
}

function readSamples(bytes: Buffer, format: WavFormat): Float32Array[] {
  const { channels, bytesPerSample, frameBytes } = format
  const frames = Math.floor(bytes.length / frameBytes)
  const sampleAt = sampleReader(bytes, format)
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    const first = channel * bytesPerSample
    // Not `Float32Array.from`, which takes ten times as long: a track has millions of samples.
    for (let frame = 0; frame < frames; frame += 1) samples[frame] = sampleAt(first + frame * frameBytes)
    return samples
  })
}

/** Returns how the sample at an offset is read, from -1 to 1. WAV files keep samples of 8 bit unsigned. */
function sampleReader(bytes: Buffer, { bytesPerSample, isFloat }: WavFormat): (at: number) => number {
  if (isFloat) return (at) => bytes.readFloatLE(at)
  if (bytesPerSample === 1) return (at) => ((bytes[at] ?? 0) - 128) / 128
  if (bytesPerSample === 2) return (at) => bytes.readInt16LE(at) / 2 ** 15
  const scale = 2 ** (8 * bytesPerSample - 1)
  return (at) => bytes.readIntLE(at, bytesPerSample) / scale
}
