import { readSize, readUnsigned, vintLength } from '../ebml.ts'
import { type AudioPacket, type AudioPackets, type FileWindow, UnindexableError } from './audio-packets.ts'
import { describeOpusHead, describeVorbisHeads, type XiphAudio } from './xiph-codecs.ts'

/** The ids of the elements read here (RFC 9559; the encoding is EBML, RFC 8794). */
const ids = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  cues: 0x1c53bb6b,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  encodings: 0x6d80,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
}
/** Elements whose children are read, with those that follow them: recorders state no size of segment and clusters. */
const entered = new Set([ids.segment, ids.info, ids.tracks, ids.cluster, ids.blockGroup])
const audioType = 2
/** By which the list of a file's parts names them. */
const cuesMark = Buffer.from([0x1c, 0x53, 0xbb, 0x6b])
const lacing = 0x06
const headBytes = 8
/**
 * A recording whose times leave its packets' by more, ms, has gaps that would be lost: at once, and in all its
 * clock's drift.
 */
const longestGapMs = 100
const mostDriftMs = 2_000
const defaultScaleNs = 1_000_000
const hasCues = 'The file has an index of its own'

interface Element {
  id: number
  at: number
  bodyAt: number
  /** Null where it is not stated. */
  length: number | null
}

/**
 * Finds the packets of a WebM or Matroska file with one track, in Opus or Vorbis, that has no index of its own (cues):
 * recorders write none, and players would read all that is before a position.
 */
export function readMatroskaPackets(file: FileWindow): AudioPackets {
  const elements = listElements(file)
  const track = readTrack(file, elements)
  const { durationOf, ...audio } = describeTrack(track)
  return { ...audio, packets: readBlocks(file, elements, { ...track, ...audio, durationOf }) }
}

/** Returns where the first cluster of a file begins if it states no size, as what browsers record; null otherwise. */
export function findOpenCluster(file: FileWindow): number | null {
  for (const { id, at, length } of listElements(file))
    if (id === ids.cluster) return length === null ? at : null
  return null
}

interface Track {
  number: number
  codec: string
  codecPrivate: Buffer
  /** Of the file's times, ms. */
  tickMs: number
}

/** Reads up to the first cluster. */
function readTrack(file: FileWindow, elements: Generator<Element>): Track {
  const track: Track = { number: 0, codec: '', codecPrivate: Buffer.alloc(0), tickMs: defaultScaleNs / 1e6 }
  let tracks = 0
  // Not by `for of`, which would end the elements.
  for (let next = elements.next(); !next.done && next.value.id !== ids.cluster; next = elements.next()) {
    const element = next.value
    if (element.id === ids.cues || (element.id === ids.seekHead && bodyOf(file, element).includes(cuesMark)))
      throw new UnindexableError(hasCues)
    if (element.id === ids.timestampScale) track.tickMs = readNumber(file, element) / 1e6
    if (element.id !== ids.track) continue
    tracks += 1
    for (const child of listElements(file, element)) {
      if (child.id === ids.trackNumber) track.number = readNumber(file, child)
      if (child.id === ids.codec) track.codec = bodyOf(file, child).toString('latin1').replace(/\0+$/, '')
      if (child.id === ids.codecPrivate) track.codecPrivate = bodyOf(file, child)
      if (child.id === ids.encodings) throw new UnindexableError('The track is encoded again')
      if (child.id === ids.trackType && readNumber(file, child) !== audioType)
        throw new UnindexableError('There are other tracks beside the sound')
    }
  }
  if (tracks !== 1) throw new UnindexableError(`There are ${tracks} tracks`)
  return track
}

function describeTrack({ codec, codecPrivate }: Track): XiphAudio {
  if (codec === 'A_OPUS') return describeOpusHead(codecPrivate)
  if (codec !== 'A_VORBIS') throw new UnindexableError(`${codec} is served as it is`)
  // The lengths of the first two headers are laced: bytes of 255, and a smaller one.
  let at = 1
  const [headLength = 0, commentLength = 0] = [0, 1].map(() => {
    let length = 0
    do length += codecPrivate[at] ?? 0
    while (codecPrivate[at++] === 255)
    return length
  })
  const setupAt = at + headLength + commentLength
  return describeVorbisHeads(codecPrivate.subarray(at, at + headLength), codecPrivate.subarray(setupAt))
}

interface Stream extends Track {
  timescale: number
  durationOf: (head: Buffer) => number
}

function* readBlocks(
  file: FileWindow,
  elements: Generator<Element>,
  { number, tickMs, timescale, durationOf }: Stream,
): Generator<AudioPacket> {
  let clusterTime = 0
  let time: number | null = null
  let driftMs = 0
  for (const element of elements) {
    if (element.id === ids.cues) throw new UnindexableError(hasCues)
    if (element.id === ids.clusterTimestamp) clusterTime = readNumber(file, element)
    if (element.id !== ids.simpleBlock && element.id !== ids.block) continue
    // A recording that was cut off ends in the middle of a block.
    if (element.bodyAt + (element.length ?? 0) > file.size) return
    const block = readBlock(file, element)
    if (block?.track !== number) throw new UnindexableError('The blocks are damaged, or of another track')
    const duration = durationOf(Buffer.from(file.bytes(block.at, Math.min(headBytes, block.length))))
    const statedMs = (clusterTime + block.time) * tickMs
    time ??= (statedMs / 1_000) * timescale
    const leftMs = statedMs - (time / timescale) * 1_000
    if (Math.abs(leftMs - driftMs) > longestGapMs || Math.abs(leftMs) > mostDriftMs)
      throw new UnindexableError('The recording has gaps')
    driftMs = leftMs
    yield { duration, parts: [[block.at, block.length]] }
    time += duration
  }
}

interface Block {
  track: number | null
  /** In ticks, from that of its cluster. */
  time: number
  at: number
  length: number
}

function readBlock(file: FileWindow, { bodyAt, length }: Element): Block | null {
  const head = file.bytes(bodyAt, 8 + 3)
  const trackLength = vintLength(head[0] ?? 0)
  const headLength = trackLength + 3
  if (length === null || length <= headLength || trackLength > 8) return null
  if (((head[headLength - 1] ?? 0) & lacing) !== 0) throw new UnindexableError('The blocks are laced')
  return {
    track: readSize(head.subarray(0, trackLength)),
    time: head.readInt16BE(trackLength),
    at: bodyAt + headLength,
    length: length - headLength,
  }
}

/** Lists elements in their order, parents before their children: those of a file, or of one element. */
function* listElements(file: FileWindow, parent?: Element): Generator<Element> {
  let at = parent?.bodyAt ?? 0
  const end = parent ? at + (parent.length ?? Infinity) : file.size
  while (at < end) {
    const element = readElement(file, at)
    if (!element) return
    yield element
    if (entered.has(element.id)) at = element.bodyAt
    else if (element.length === null) return
    else at = element.bodyAt + element.length
  }
}

function readElement(file: FileWindow, at: number): Element | null {
  const head = file.bytes(at, 4 + 8)
  const idLength = vintLength(head[0] ?? 0)
  const sizeLength = vintLength(head[idLength] ?? 0)
  if (idLength > 4 || sizeLength > 8 || idLength + sizeLength > head.length) return null
  return {
    id: readUnsigned(head.subarray(0, idLength)),
    at,
    bodyAt: at + idLength + sizeLength,
    length: readSize(head.subarray(idLength, idLength + sizeLength)),
  }
}

const longestBody = 1024 * 1024

function bodyOf(file: FileWindow, { bodyAt, length }: Element): Buffer {
  if (length === null || length > longestBody) throw new UnindexableError('An element is too long')
  return Buffer.from(file.bytes(bodyAt, length))
}

const readNumber = (file: FileWindow, element: Element): number => readUnsigned(bodyOf(file, element))
