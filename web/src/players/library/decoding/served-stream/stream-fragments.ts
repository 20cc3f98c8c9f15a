import { readBox, readBoxHead, readUint64, requireBox } from './box-reader.ts'
import type { RangeFile } from '../range-file.ts'
import { UndecodableError } from '../undecodable-error.ts'

/** Reads the fragments of a stream and their table, as the server writes them (ISO/IEC 14496-12, 8.8). */

/** Where a packet is: in time, in units of the track, and in bytes of the file. */
export interface PacketPlace {
  time: number
  duration: number
  start: number
  end: number
}

/** Ten seconds of the shortest packets of Opus take 32 kB. */
const mostFragmentHeadBytes = 1024 * 1024
/** The table of a hundred hours takes 0.4 MB. */
const mostTableBytes = 4 * 1024 * 1024
/** A track run with the offset of its data, and a duration and a size for each packet (8.8.8). */
const runFlags = 0x301
/** As long as one of FLAC may be, with eight channels of 32 bits. */
const mostPacketBytes = 4 * 1024 * 1024

interface Fragment {
  /** In order, at least one. */
  packets: PacketPlace[]
  /** Where the next fragment begins, in the file. */
  end: number
}

/** Reads where the packets are of the fragment that begins at a place. Resolves to null behind the last one. */
export async function readFragment(file: RangeFile, at: number): Promise<Fragment | null> {
  const { type } = await readBoxHead(file, at)
  if (type === 'mfra') return null
  const { body } = await readBox(file, at, { type: 'moof', mostBytes: mostFragmentHeadBytes })
  const size = await file.size()
  const packets = listPackets(requireBox(body, 'traf'), at)
  const end = packets.at(-1)?.end ?? 0
  const isInFile = (packets[0]?.start ?? 0) > at && end <= size
  if (!isInFile || packets.some((packet) => packet.end - packet.start > mostPacketBytes)) {
    throw new UndecodableError('A fragment has an impossible length')
  }
  return { packets, end }
}

function listPackets(traf: DataView, moofAt: number): PacketPlace[] {
  const run = requireBox(traf, 'trun')
  if (run.getUint32(0) !== runFlags) throw new UndecodableError('A track run has other fields')
  const count = run.getUint32(4)
  let time = readUint64(requireBox(traf, 'tfdt'), 4)
  let start = moofAt + run.getInt32(8)
  const packets: PacketPlace[] = []
  for (let index = 0; index < count; index += 1) {
    const [duration, length] = [run.getUint32(12 + 8 * index), run.getUint32(16 + 8 * index)]
    packets.push({ time, duration, start, end: start + length })
    time += duration
    start += length
  }
  return packets
}

/** The places of fragments by their times. */
export interface FragmentTable {
  /** Returns where the last fragment is that begins at or before a time; the first one where there is none. */
  find(time: number): number
}

/** The box that ends a file states how long the table is (8.8.11). */
const tableEndBytes = 16

/** Reads the random access table at the end of a stream (8.8.9 and 8.8.10). */
export async function readFragmentTable(file: RangeFile): Promise<FragmentTable> {
  const size = await file.size()
  const last = await readBox(file, size - tableEndBytes, { type: 'mfro', mostBytes: tableEndBytes })
  const at = size - last.body.getUint32(4)
  const { body } = await readBox(file, at, { type: 'mfra', mostBytes: mostTableBytes })
  const table = requireBox(body, 'tfra')
  const isLong = table.getUint8(0) === 1
  const count = table.getUint32(12)
  // A time, a place, and three numbers of one byte.
  const entryBytes = isLong ? 19 : 11
  const read = (entry: number, field: 0 | 1): number => {
    const fieldAt = 16 + entry * entryBytes + field * (isLong ? 8 : 4)
    return isLong ? readUint64(table, fieldAt) : table.getUint32(fieldAt)
  }
  return {
    find(time) {
      let [low, high] = [0, count - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (read(middle, 0) <= time) low = middle
        else high = middle - 1
      }
      return read(low, 1)
    },
  }
}
