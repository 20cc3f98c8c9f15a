import { type AudioPacket, type AudioPackets, type FileWindow, UnindexableError } from './audio-packets.ts'

/** A box's type and content. */
interface Box {
  type: string
  content: Buffer
}

const maxMovieBytes = 256 * 1024 * 1024
/** Encrypted audio, and PCM with a sample per packet. */
const refusedEntries = new Set([
  'drms',
  'enca',
  'sowt',
  'twos',
  'lpcm',
  'in24',
  'in32',
  'fl32',
  'fl64',
  'raw ',
])

/** Finds the packets of an MP4 file's only audio track by its sample tables (ISO/IEC 14496-12, 8.6 and 8.7). */
export function readMp4Packets(file: FileWindow): AudioPackets {
  const moov = readMovie(file)
  if (findBox(moov, ['mvex'])) throw new UnindexableError('The file is fragmented already')
  const tracks = childrenOf(moov).filter((child) => child.type === 'trak')
  const sounds = tracks.filter(({ content }) => handlerOf(content) === 'soun')
  const [track] = sounds
  if (!track || sounds.length > 1) throw new UnindexableError('There is not exactly one audio track')

  const table = requireBox(track.content, ['mdia', 'minf', 'stbl'])
  const timescale = readTimescale(requireBox(track.content, ['mdia', 'mdhd']))
  return {
    sampleEntry: readSampleEntry(table),
    timescale,
    ...readEnds(moov, track.content),
    packets: readSamples(file.size, table),
  }
}

/** Finds and reads the movie box, which may be at the end of the file. */
export function readMovie(file: FileWindow): Buffer {
  let offset = 0
  while (offset + 8 <= file.size) {
    const head = file.bytes(offset, 16)
    const type = head.toString('latin1', 4, 8)
    const isLong = head.readUInt32BE(0) === 1 && head.length >= 16
    const length = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0)
    const headLength = isLong ? 16 : 8
    if (length < headLength) break
    if (type === 'moov' && length <= maxMovieBytes) {
      return Buffer.from(file.bytes(offset + headLength, length - headLength))
    }
    offset += length
  }
  throw new UnindexableError('There is no movie box')
}

export function childrenOf(content: Buffer): Box[] {
  const boxes: Box[] = []
  let offset = 0
  while (offset + 8 <= content.length) {
    const length = content.readUInt32BE(offset)
    if (length < 8) break
    const type = content.toString('latin1', offset + 4, offset + 8)
    boxes.push({ type, content: content.subarray(offset + 8, offset + length) })
    offset += length
  }
  return boxes
}

export function findBox(content: Buffer, path: string[]): Buffer | null {
  let inside: Buffer | null = content
  for (const type of path) {
    if (inside) inside = childrenOf(inside).find((child) => child.type === type)?.content ?? null
  }
  return inside
}

export function requireBox(content: Buffer, path: string[]): Buffer {
  const found = findBox(content, path)
  if (!found) throw new UnindexableError(`There is no box ${path.join('/')}`)
  return found
}

export const handlerOf = (track: Buffer): string =>
  findBox(track, ['mdia', 'hdlr'])?.toString('latin1', 8, 12) ?? 'none'

function readSampleEntry(table: Buffer): Buffer {
  const stsd = requireBox(table, ['stsd'])
  const entries = childrenOf(stsd.subarray(8))
  const [entry] = entries
  const isQuickTime = entry !== undefined && entry.content.readUInt16BE(8) > 0
  if (!entry || entries.length > 1 || isQuickTime || refusedEntries.has(entry.type)) {
    throw new UnindexableError('The format of the audio is not for a fragmented file')
  }
  return stsd.subarray(8, 8 + 8 + entry.content.length)
}

/** Movies count edits in ms or so: less than this many of their units may be rounding. */
const roundedUnits = 2

/** Reads what the encoder added before and after the sound, by the track's edit, or by iTunes' comment, which is exact. */
export function readEnds(
  moov: Buffer,
  track: Buffer,
): Pick<AudioPackets, 'encoderDelay'> & { endPadding: (totalTime: number) => number } {
  const edit = readEdit(track)
  const iTunes = readITunesEnds(moov)
  const encoderDelay = edit?.start || iTunes?.encoderDelay || 0
  const endPadding = (totalTime: number) => {
    if (iTunes) return iTunes.endPadding
    if (!edit || edit.duration === 0) return 0
    const mvhd = requireBox(moov, ['mvhd'])
    const unit = readTimescale(requireBox(track, ['mdia', 'mdhd'])) / readTimescale(mvhd)
    const rest = totalTime - encoderDelay - edit.duration * unit
    return rest < roundedUnits * unit ? 0 : Math.round(rest)
  }
  return { encoderDelay, endPadding }
}

/** Of a movie's or a track's header: units of time per second. */
const readTimescale = (header: Buffer): number => header.readUInt32BE(header[0] === 1 ? 20 : 12)

/** Reads the first edit that plays: its start in the media, and its duration in the movie's units; null without one. */
function readEdit(track: Buffer): { start: number; duration: number } | null {
  const elst = findBox(track, ['edts', 'elst'])
  if (!elst) return null
  const isLong = elst[0] === 1
  const count = elst.readUInt32BE(4)
  for (let index = 0; index < count; index += 1) {
    const at = 8 + index * (isLong ? 20 : 12)
    const start = isLong ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4)
    const duration = isLong ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at)
    if (start >= 0) return { start, duration: count === 1 ? duration : 0 }
  }
  return null
}

/** Reads the encoder's delay and padding that iTunes writes as a comment; null without it. */
function readITunesEnds(moov: Buffer): { encoderDelay: number; endPadding: number } | null {
  const at = moov.indexOf('iTunSMPB', 0, 'latin1')
  const comment = at < 0 ? '' : moov.toString('latin1', at, at + 100)
  const [, delay, padding] = / [0-9A-F]{8} ([0-9A-F]{8}) ([0-9A-F]{8}) /i.exec(comment) ?? []
  if (delay === undefined || padding === undefined) return null
  return { encoderDelay: Number.parseInt(delay, 16), endPadding: Number.parseInt(padding, 16) }
}

function* readSamples(fileSize: number, table: Buffer): Generator<AudioPacket> {
  const sizes = requireBox(table, ['stsz'])
  const [commonSize, count] = [sizes.readUInt32BE(4), sizes.readUInt32BE(8)]
  const durations = readDurations(requireBox(table, ['stts']))
  let sample = 0
  for (const { offset, samples } of readChunks(table)) {
    let at = offset
    for (const last = Math.min(count, sample + samples); sample < last; sample += 1) {
      const size = commonSize || sizes.readUInt32BE(12 + 4 * sample)
      if (at + size > fileSize) throw new UnindexableError('The file ends early')
      yield { duration: durations.next().value ?? 0, parts: [[at, size]] }
      at += size
    }
  }
}

export function* readDurations(stts: Buffer): Generator<number, undefined> {
  const entries = stts.readUInt32BE(4)
  for (let entry = 0; entry < entries; entry += 1) {
    const [count, duration] = [stts.readUInt32BE(8 + 8 * entry), stts.readUInt32BE(12 + 8 * entry)]
    for (let index = 0; index < count; index += 1) yield duration
  }
  return undefined
}

function* readChunks(table: Buffer): Generator<{ offset: number; samples: number }> {
  const stsc = requireBox(table, ['stsc'])
  const long = findBox(table, ['co64'])
  const offsets = long ?? requireBox(table, ['stco'])
  const chunks = offsets.readUInt32BE(4)
  const entries = stsc.readUInt32BE(4)
  let entry = 0
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const next = 8 + 12 * (entry + 1)
    if (entry + 1 < entries && stsc.readUInt32BE(next) === chunk + 1) entry += 1
    const offset = long ? Number(long.readBigUInt64BE(8 + 8 * chunk)) : offsets.readUInt32BE(8 + 4 * chunk)
    yield { offset, samples: stsc.readUInt32BE(12 + 12 * entry) }
  }
}
