import type { AudioPacket } from '../seekable/audio-packets.ts'
import { serverLimits } from '../../server-limits.ts'

/** Packets that follow each other without a gap. */
interface PacketRun {
  /** Where the first packet begins in the track. */
  startS: number
  packets: AudioPacket[]
  /** The packets before the first were decoded too. */
  isContinued: boolean
}

/** Packets decoded at a time. */
const runPackets = 64
/**
 * Two of these in each part of the waveform are representative, and bound the work for a long track to one minute of
 * audio.
 */
const runS = 0.15

/** Chooses the packets to decode: all of a short track, and short runs at equal distances of a longer one. */
export function* chooseRuns(
  packets: Iterable<AudioPacket>,
  { timescale, durationS }: { timescale: number; durationS: number },
): Generator<PacketRun> {
  const distanceS = durationS / (2 * serverLimits.waveformPeaks)
  let run: PacketRun | null = null
  let timeS = 0
  for (const packet of packets) {
    const isChosen = timeS % distanceS < runS
    if (isChosen) {
      run ??= { startS: timeS, packets: [], isContinued: false }
      run.packets.push(packet)
    }
    timeS += packet.duration / timescale
    if (run && (!isChosen || run.packets.length >= runPackets)) {
      yield run
      run = isChosen ? { startS: timeS, packets: [], isContinued: true } : null
    }
  }
  if (run && run.packets.length > 0) yield run
}
