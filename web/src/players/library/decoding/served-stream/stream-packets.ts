import type { Packet } from './packet-decoder.ts'
import type { RangeFile } from '../range-file.ts'
import { type FragmentTable, type PacketPlace, readFragment, readFragmentTable } from './stream-fragments.ts'
import type { StreamHead } from './stream-head.ts'
import { UndecodableError } from '../undecodable-error.ts'

/** As much as a request of reading ahead brings at most. */
const mostAtOnceBytes = 256 * 1024

/** Reads the packets of a stream. Positions count from the start of the track, s. */
export class StreamPackets {
  readonly #file: RangeFile
  readonly #head: StreamHead
  #table: Promise<FragmentTable> | null = null

  constructor(file: RangeFile, head: StreamHead) {
    this.#file = file
    this.#head = head
  }

  /**
   * Reads packets in order, from the last one on that begins at or before a position, or from the first one of all. Those that
   * begin before `neededS` are read together, the others one by one. Rejects with an UndecodableError where the file is broken.
   */
  async *readFrom(positionS: number, neededS: number): AsyncGenerator<Packet, void, undefined> {
    const { timescale, startTime } = this.#head
    const timeAt = (seconds: number) => startTime + seconds * timescale
    const fromTime = positionS > 0 ? timeAt(positionS) : -1
    try {
      let fragment = await readFragment(this.#file, await this.#findFragment(fromTime))
      while (fragment) {
        const { packets, end } = fragment
        const first = packets.findLastIndex(({ time }) => time <= fromTime)
        const wanted = packets.slice(Math.max(0, first))
        for (const run of cutRuns(wanted, timeAt(neededS))) yield* this.#readRun(run)
        fragment = await readFragment(this.#file, end)
      }
    } catch (error) {
      // Of what was read behind the end of a box.
      throw error instanceof RangeError ? new UndecodableError('The file is broken', { cause: error }) : error
    }
  }

  async #findFragment(time: number): Promise<number> {
    if (time < 0) return this.#head.fragmentsAt
    this.#table ??= readFragmentTable(this.#file)
    return (await this.#table).find(time)
  }

  async *#readRun(run: readonly PacketPlace[]): AsyncGenerator<Packet, void, undefined> {
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0]
    const bytes = await this.#file.read(start, end)
    for (const packet of run) {
      yield {
        data: bytes.subarray(packet.start - start, packet.end - start),
        timeS: packet.time / this.#head.timescale,
        durationS: packet.duration / this.#head.timescale,
      }
    }
  }
}

/** Cuts packets into those that begin before a time, as far as one request brings them, and each of the others. */
function* cutRuns(packets: readonly PacketPlace[], neededTime: number): Generator<PacketPlace[]> {
  let run: PacketPlace[] = []
  for (const packet of packets) {
    const isNeeded = packet.time < neededTime && packet.end - (run[0] ?? packet).start <= mostAtOnceBytes
    if (run.length > 0 && !isNeeded) {
      yield run
      run = []
    }
    run.push(packet)
  }
  yield run
}
