/** Small real audio files with tags, made by code, for tests of the library. */

export interface WavOptions {
  title?: string
  artist?: string
  album?: string
  track?: string
  date?: string
  /** Default 100. */
  durationMs?: number
  /** Different numbers sound different, so that files with the same tags differ. */
  seed?: number
  /** Put into the file as its front cover. */
  cover?: Uint8Array
  coverMimeType?: string
  /** Texts of an ID3v2.3 tag, which has user-defined ones as `TXXX`: the name, NUL and the value. */
  frames?: [id: string, text: string][]
}

/** The smallest PNG there is: one grey pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==',
  'base64',
)

const sampleRate = 8_000

/** An 8 bit mono WAV file with a RIFF INFO chunk (UTF-8) and, for a cover, an ID3v2.3 chunk. */
export function makeWav(options: WavOptions = {}): Buffer {
  const {
    title,
    artist,
    album,
    track,
    date,
    durationMs = 100,
    seed = 1,
    cover,
    coverMimeType = 'image/png',
    frames,
  } = options
  const chunks = [monoFormat(sampleRate, 8), chunk('data', noise(durationMs, seed))]
  const info = Object.entries({ INAM: title, IART: artist, IPRD: album, ITRK: track, ICRD: date }).flatMap(
    ([id, text]) => (text === undefined ? [] : [chunk(id, Buffer.from(`${text}\0`))]),
  )
  if (info.length > 0) chunks.push(chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...info])))
  if (cover) chunks.push(chunk('id3 ', pictureTag(cover, coverMimeType)))
  if (frames) chunks.push(chunk('id3 ', makeTextTag(3, frames)))
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]))
}

/** The format chunk of mono PCM. */
export function monoFormat(samplesPerSecond: number, bitsPerSample: 8 | 16): Buffer {
  const bytesPerSample = bitsPerSample / 8
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0) // PCM
  format.writeUInt16LE(1, 2) // channels
  format.writeUInt32LE(samplesPerSecond, 4)
  format.writeUInt32LE(samplesPerSecond * bytesPerSample, 8)
  format.writeUInt16LE(bytesPerSample, 12)
  format.writeUInt16LE(bitsPerSample, 14)
  return chunk('fmt ', format)
}

export function chunk(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(id, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

/** The numbers of a linear congruential generator: the same seed, the same sound. */
function noise(durationMs: number, seed: number): Buffer {
  const samples = Buffer.alloc(Math.round((sampleRate * durationMs) / 1_000))
  let state = seed >>> 0
  for (let at = 0; at < samples.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    samples[at] = state >>> 24
  }
  return samples
}

/** An ID3v2.3 tag with one APIC frame (front cover). */
function pictureTag(cover: Uint8Array, mimeType: string): Buffer {
  const head = Buffer.from(`\0${mimeType}\0\x03\0`, 'latin1')
  return makeId3(3, [['APIC', Buffer.concat([head, cover])]])
}

/** An ID3v2.3 or 2.4 tag with short text frames in Latin-1. */
export function makeTextTag(version: 3 | 4, frames: [id: string, text: string][]): Buffer {
  return makeId3(
    version,
    frames.map(([id, text]) => [id, Buffer.from(`\0${text}`, 'latin1')]),
  )
}

function makeId3(version: number, frames: [id: string, body: Buffer][]): Buffer {
  const content = frames.flatMap(([id, body]) => {
    const head = Buffer.alloc(10)
    head.write(id, 'latin1')
    head.writeUInt32BE(body.length, 4)
    return [head, body]
  })
  const size = content.reduce((sum, part) => sum + part.length, 0)
  const sevenBits = [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)
  return Buffer.concat([
    Buffer.from(`ID3${String.fromCharCode(version)}\0\0`, 'latin1'),
    Buffer.from(sevenBits),
    ...content,
  ])
}
