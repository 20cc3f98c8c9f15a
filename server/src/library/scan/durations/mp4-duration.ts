import { type FileWindow, playedTime } from '../../seekable/audio-packets.ts'
import {
  childrenOf,
  findBox,
  handlerOf,
  readDurations,
  readEnds,
  readMovie,
  requireBox,
} from '../../seekable/mp4-packets.ts'

/** All ones (ISO/IEC 14496-12, 8.4.2). */
const unknownDurations = new Set([0xffffffffn, 0xffffffffffffffffn])
const mostFragmentBytes = 16 * 1024 * 1024

/**
 * Finds the duration of an MP4 file's sound, in ms: as its audio track states it, without what the encoder added, or, where
 * it states none or has all its samples in fragments, by the samples in its table and in its fragments. What browsers record
 * states the duration of a part. Null without an audio track. @throws UnindexableError without a movie
 */
export function readMp4Duration(file: FileWindow): number | null {
  const moov = readMovie(file)
  const track = childrenOf(moov).find(({ type, content }) => type === 'trak' && handlerOf(content) === 'soun')
  if (!track) return null
  const mdhd = requireBox(track.content, ['mdia', 'mdhd'])
  const [at, stated] = mdhd[0] === 1 ? [20, mdhd.readBigUInt64BE(24)] : [12, BigInt(mdhd.readUInt32BE(16))]
  const table = requireBox(track.content, ['mdia', 'minf', 'stbl', 'stts'])
  const timescale = mdhd.readUInt32BE(at)
  if (stated > 0n && !unknownDurations.has(stated) && table.readUInt32BE(4) > 0) {
    const { duration } = playedTime({ timescale, ...readEnds(moov, track.content) }, Number(stated))
    return (duration * 1_000) / timescale
  }
  let units = 0
  for (const duration of readDurations(table)) units += duration
  const header = requireBox(track.content, ['tkhd'])
  units += sumFragments(file, moov, header.readUInt32BE(header[0] === 1 ? 20 : 12))
  return (units * 1_000) / timescale
}

/** Adds up the samples of a track in the fragments of a file (ISO/IEC 14496-12, 8.8). */
function sumFragments(file: FileWindow, moov: Buffer, trackId: number): number {
  const extended = childrenOf(findBox(moov, ['mvex']) ?? Buffer.alloc(0)).find(
    ({ type, content }) => type === 'trex' && content.readUInt32BE(4) === trackId,
  )
  const usual = extended?.content.readUInt32BE(12) ?? 0
  let units = 0
  for (let offset = 0; offset + 8 <= file.size;) {
    const head = file.bytes(offset, 16)
    const type = head.toString('latin1', 4, 8)
    const short = head.readUInt32BE(0)
    const length = short === 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : short
    if (length < 8) break
    if (type === 'moof' && length <= mostFragmentBytes) {
      for (const part of childrenOf(Buffer.from(file.bytes(offset + 8, length - 8))))
        if (part.type === 'traf') units += sumRuns(part.content, trackId, usual)
    }
    offset += length
  }
  return units
}

/** Adds up the runs of one fragment; 0 for another track. */
function sumRuns(fragment: Buffer, trackId: number, usual: number): number {
  const header = requireBox(fragment, ['tfhd'])
  if (header.readUInt32BE(4) !== trackId) return 0
  const flags = header.readUIntBE(1, 3)
  const durationAt = 8 + ((flags & 1) === 0 ? 0 : 8) + ((flags & 2) === 0 ? 0 : 4)
  const ofFragment = (flags & 8) === 0 ? usual : header.readUInt32BE(durationAt)
  return childrenOf(fragment)
    .filter(({ type }) => type === 'trun')
    .reduce((sum, { content }) => sum + sumRun(content, ofFragment), 0)
}

function sumRun(run: Buffer, usual: number): number {
  const flags = run.readUIntBE(1, 3)
  const count = run.readUInt32BE(4)
  if ((flags & 0x100) === 0) return count * usual
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length
  const start = 8 + ((flags & 1) === 0 ? 0 : 4) + ((flags & 4) === 0 ? 0 : 4)
  let units = 0
  for (let sample = 0; sample < count; sample += 1) units += run.readUInt32BE(start + 4 * fields * sample)
  return units
}
