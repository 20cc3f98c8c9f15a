import { streamBrand } from '@earshot/core/protocol/media-paths'
import { findBox, readBox, readBoxHead, readType, readUint64, requireBox, viewOf } from './box-reader.ts'
import { readCodecConfig } from './codec-config.ts'
import type { RangeFile } from '../range-file.ts'
import { UndecodableError } from '../undecodable-error.ts'

/**
 * What the head of a stream states. Times are in units of the track, from the first encoded packet on (ISO/IEC 14496-12,
 * 8.4.2 and 8.6.6).
 */
export interface StreamHead {
  config: AudioDecoderConfig
  /** Units of time a second. */
  timescale: number
  /** When the track begins: what is before it, the encoder has added. */
  startTime: number
  /** When its sound ends. */
  endTime: number
  /** Where the first fragment begins, in the file. */
  fragmentsAt: number
}

/** With the brands, of which the server writes five. */
const mostTypeBytes = 64
/** Far more than there is: the longest part are the tables of a Vorbis decoder, some kB. */
const mostMovieBytes = 1024 * 1024

/**
 * Reads the head of a stream that the server has put together (server/src/library/seekable/fragment-boxes.ts). Resolves to null
 * for any other file, and for a codec that only such a file has.
 */
export async function readStreamHead(file: RangeFile): Promise<StreamHead | null> {
  const typeEnd = await findTypeEnd(file)
  if (typeEnd === null) return null
  const { body: moov, end } = await readBox(file, typeEnd, { type: 'moov', mostBytes: mostMovieBytes })
  const mdia = requireBox(moov, 'trak', 'mdia')
  const timescale = requireBox(mdia, 'mdhd').getUint32(12)
  const config = readCodecConfig(requireBox(mdia, 'minf', 'stbl', 'stsd'), timescale)
  if (!config) return null
  if (timescale === 0) throw new UndecodableError('The track has no units of time')
  return {
    config,
    timescale,
    startTime: findBox(moov, 'trak', 'edts', 'elst')?.getUint32(12) ?? 0,
    endTime: readUint64(requireBox(moov, 'mvex', 'mehd'), 4),
    // Behind the segment index, which is for audio elements.
    fragmentsAt: (await readBoxHead(file, end)).end,
  }
}

/** Finds where a stream's type ends (4.3); null for another file. */
async function findTypeEnd(file: RangeFile): Promise<number | null> {
  const head = viewOf(await file.read(0, Math.min(mostTypeBytes, await file.size())))
  if (head.byteLength < mostTypeBytes || readType(head, 4) !== 'ftyp') return null
  const end = head.getUint32(0)
  for (let at = 16; at < Math.min(end, mostTypeBytes); at += 4)
    if (readType(head, at) === streamBrand) return end
  return null
}
