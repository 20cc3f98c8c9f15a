import { streamBrand } from '@earshot/core/protocol/media-paths'
import type { AudioPackets } from './audio-packets.ts'
import { box, fullBox, u16, u32, u64, u8 } from './mp4-boxes.ts'

/** The boxes of a fragmented MP4 file with one audio track (ISO/IEC 14496-12, 8.8 and 8.16). */

/** Packets that are located, loaded and indexed together. Times are in the track's timescale. */
export interface Fragment {
  startTime: number
  durations: number[]
  sizes: number[]
  /** Of its payload. */
  bytes: number
}

const trackId = 1
/** A sample that depends on no other (8.8.3.1). */
const syncSampleFlags = 0x02000000
const unityMatrix = u32(0x00010000, 0, 0, 0, 0x00010000, 0, 0, 0, 0x40000000)

/** The head of the file: its type and the track, whose edit list skips the encoder's delay. */
export function headBoxes(audio: Omit<AudioPackets, 'packets'>, totalTime: number): Buffer {
  const { sampleEntry, timescale, encoderDelay } = audio
  const brands = Buffer.from(`isomiso6mp41dash${streamBrand}`, 'latin1')
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, timescale, 0, 0x00010000),
    u16(0x0100, 0),
    u32(0, 0),
    unityMatrix,
    Buffer.alloc(24),
    u32(trackId + 1),
  )
  const enabledInMovie = 0x3
  const tkhd = fullBox(
    'tkhd',
    0,
    enabledInMovie,
    u32(0, 0, trackId, 0, 0, 0, 0),
    u16(0, 0, 0x0100, 0),
    unityMatrix,
    u32(0, 0),
  )
  const playedTime = 0 // The rest of the track, however long (8.6.6)
  const elst = fullBox('elst', 0, 0, u32(1, playedTime, encoderDelay, 0x00010000))
  const edts = encoderDelay > 0 ? [box('edts', elst)] : []
  const trak = box('trak', tkhd, ...edts, mediaBox(sampleEntry, timescale, totalTime))
  const mehd = fullBox('mehd', 1, 0, u64(totalTime))
  const trex = fullBox('trex', 0, 0, u32(trackId, 1, 0, 0, syncSampleFlags))
  return Buffer.concat([
    box('ftyp', Buffer.from('isom', 'latin1'), u32(0x200), brands),
    box('moov', mvhd, trak, box('mvex', mehd, trex)),
  ])
}

function mediaBox(sampleEntry: Buffer, timescale: number, totalTime: number): Buffer {
  const undetermined = 0x55c4
  const duration = totalTime < 2 ** 32 ? totalTime : 0
  const mdhd = fullBox('mdhd', 0, 0, u32(0, 0, timescale, duration), u16(undetermined, 0))
  const hdlr = fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun', 'latin1'), Buffer.alloc(13))
  const inThisFile = 1
  const dinf = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, inThisFile)))
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry),
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0, 0)),
    fullBox('stco', 0, 0, u32(0)),
  )
  return box('mdia', mdhd, hdlr, box('minf', fullBox('smhd', 0, 0, u16(0, 0)), dinf, stbl))
}

/** The boxes before a fragment's payload. */
export function fragmentBoxes(fragment: Fragment, sequenceNumber: number): Buffer {
  const { startTime, durations, sizes, bytes } = fragment
  const baseIsMoof = 0x020000
  const dataOffsetDurationSize = 0x301
  const samples = u32(...sizes.flatMap((size, index) => [durations[index] ?? 0, size]))
  const trun = (dataOffset: number) =>
    fullBox('trun', 0, dataOffsetDurationSize, u32(sizes.length, dataOffset), samples)
  const moof = (dataOffset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequenceNumber)),
      box(
        'traf',
        fullBox('tfhd', 0, baseIsMoof, u32(trackId)),
        fullBox('tfdt', 1, 0, u64(startTime)),
        trun(dataOffset),
      ),
    )
  const mdatHead = Buffer.concat([u32(8 + bytes), Buffer.from('mdat', 'latin1')])
  const dataOffset = moof(0).length + mdatHead.length
  return Buffer.concat([moof(dataOffset), mdatHead])
}

/** A fragment's place in time and in the file, for the tables by which players seek. */
export interface FragmentPlace {
  startTime: number
  duration: number
  offset: number
  /** With its boxes. */
  length: number
}

/** The length of `segmentIndexBox` for a number of fragments. */
export const segmentIndexLength = (fragments: number): number => 40 + 12 * fragments

/** The segment index (8.16.3), by which Chromium's audio element seeks. It ends where the first fragment begins. */
export function segmentIndexBox(timescale: number, places: FragmentPlace[]): Buffer {
  const startsWithSync = 0x90000000
  const references = places.flatMap(({ length, duration }) => [length, duration, startsWithSync])
  const head = [u32(trackId, timescale), u64(0), u64(0), u16(0, places.length)]
  return fullBox('sidx', 1, 0, ...head, u32(...references))
}

/** The random access table at the end of the file (8.8.9), by which the library player seeks. */
export function randomAccessBoxes(places: FragmentPlace[]): Buffer {
  const last = places.at(-1)
  // Short numbers where they suffice: a player fetches the whole table before its first sound.
  const isShort = last !== undefined && Math.max(last.startTime, last.offset) < 2 ** 32
  const number = isShort ? u32 : u64
  const entries = places.flatMap(({ startTime, offset }) => [number(startTime), number(offset), u8(1, 1, 1)])
  const tfra = fullBox('tfra', isShort ? 0 : 1, 0, u32(trackId, 0, places.length), ...entries)
  const mfroLength = 16
  const mfro = fullBox('mfro', 0, 0, u32(8 + tfra.length + mfroLength))
  return box('mfra', tfra, mfro)
}
