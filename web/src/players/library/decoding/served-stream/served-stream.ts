import { decodePackets } from './packet-decoder.ts'
import type { RangeFile } from '../range-file.ts'
import type { PacketSound, SoundSource } from '../sound-source.ts'
import { readStreamHead } from './stream-head.ts'
import { StreamPackets } from './stream-packets.ts'
import { UndecodableError } from '../undecodable-error.ts'

/**
 * Opens a stream that the server has put together. Resolves to null for any other file. Rejects with an UndecodableError where
 * this browser has no decoder for it.
 */
export async function openServedStream(file: RangeFile): Promise<SoundSource | null> {
  const head = await readStreamHead(file)
  if (!head) return null
  const { config, timescale, startTime, endTime } = head
  const { supported } = await AudioDecoder.isConfigSupported(config)
  if (!supported) throw new UndecodableError(`This browser has no decoder for ${config.codec}`)
  const packets = new StreamPackets(file, head)

  async function* soundFrom(startS: number, neededS: number): AsyncGenerator<PacketSound, void, undefined> {
    for await (const sound of decodePackets(config, packets.readFrom(startS, neededS))) {
      const { timeS, sampleRate, channels } = sound
      yield { statedFrame: Math.round((timeS - startTime / timescale) * sampleRate), sampleRate, channels }
    }
  }
  const durationS = () => Promise.resolve((endTime - startTime) / timescale)
  return {
    codec: config.codec,
    sampleRate: config.sampleRate,
    soundFrom,
    statedDurationS: durationS,
    countedDurationS: durationS,
    computeDurationS: durationS,
    dispose: () => file.close(),
  }
}
