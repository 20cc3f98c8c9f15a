import { delay } from '../../../../timing.ts'
import { UndecodableError } from '../undecodable-error.ts'
import { copyChannels } from './audio-data.ts'
import { PacketTimes } from '../packet-times.ts'

/** Encoded sound. */
export interface Packet {
  data: Uint8Array
  /** From the first encoded packet on, s: WebKitGTK takes what has a negative time for sound played backwards. */
  timeS: number
  durationS: number
}

/** The sound of a packet. */
export interface DecodedPacket {
  /** That of the packet. */
  timeS: number
  sampleRate: number
  channels: Float32Array[]
}

/**
 * Packets in the decoder and sounds that wait. Some decoders give nothing out before they have many packets; sound takes
 * more memory.
 */
const mostWaiting = { withoutSound: 40, withSound: 8 }

/**
 * A decoder that has taken so many packets, or all, and gives out nothing for so long never will, though it says that it
 * knows the codec: that of WebKitGTK 2.50 for some FLAC and Vorbis.
 */
const mute = { afterPackets: 200, forMs: 10_000 }

/**
 * Decodes packets in their order, and takes them as the sounds are taken. Rejects as the packets or the decoder do, behind
 * the sound before, and with an UndecodableError where the decoder gives out nothing. Stop iterating to stop decoding.
 */
export async function* decodePackets(
  config: AudioDecoderConfig,
  packets: AsyncIterable<Packet>,
): AsyncGenerator<DecodedPacket, void, undefined> {
  const decoding = new Decoding(config)
  void decoding.feed(packets)
  try {
    for (let sound = await decoding.next(); sound; sound = await decoding.next()) yield sound
  } finally {
    decoding.stop()
  }
}

/** Why no more is decoded. */
type End = 'reached' | { error: unknown }

const microseconds = (seconds: number): number => Math.round(seconds * 1e6)

class Decoding {
  readonly #decoder: AudioDecoder
  readonly #times: PacketTimes
  readonly #sounds: DecodedPacket[] = []
  #firstPacketS: number | null = null
  /** By how much the first sample is off its packet, s. */
  #offsetS: number | null = null
  #end: End | null = null
  /** Resolves with the next change, of anything. */
  #change = Promise.resolve()
  #onChange: () => void = () => undefined

  constructor(config: AudioDecoderConfig) {
    this.#times = new PacketTimes(config.codec)
    this.#decoder = new AudioDecoder({
      output: (data) => this.#take(data),
      error: (error) => this.#endWith({ error }),
    })
    this.#decoder.ondequeue = () => this.#report()
    this.#decoder.configure(config)
    this.#report()
  }

  /** Decodes packets, until it is stopped. */
  async feed(packets: AsyncIterable<Packet>): Promise<void> {
    let taken = 0
    try {
      for await (const { data, timeS, durationS } of packets) {
        if (this.#end) return
        this.#firstPacketS ??= timeS
        this.#times.add(timeS)
        const [timestamp, duration] = [microseconds(timeS), microseconds(durationS)]
        this.#decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, duration, data }))
        while (this.#isFull()) await this.#change
        taken += 1
        if (taken === mute.afterPackets) await this.#unlessMute(this.#firstSound())
      }
      await this.#unlessMute(this.#decoder.flush())
      this.#endWith('reached')
    } catch (error) {
      this.#endWith({ error })
    }
  }

  /** Resolves to the next sound; null behind the last one. */
  async next(): Promise<DecodedPacket | null> {
    for (;;) {
      const sound = this.#sounds.shift()
      if (sound) {
        this.#report()
        return sound
      }
      if (this.#end === 'reached') return null
      if (this.#end) throw this.#end.error
      await this.#change
    }
  }

  stop(): void {
    this.#endWith('reached')
    if (this.#decoder.state !== 'closed') this.#decoder.close()
  }

  async #firstSound(): Promise<void> {
    while (this.#offsetS === null && !this.#end) await this.#change
  }

  /** Waits for a step, unless no sound comes meanwhile. */
  async #unlessMute(step: Promise<void>): Promise<void> {
    const waited = delay(mute.forMs).then(() => {
      if (this.#offsetS === null) throw new UndecodableError('The decoder gives out no sound')
      return step
    })
    await Promise.race([step, waited])
  }

  #isFull(): boolean {
    const most = this.#sounds.length > 0 ? mostWaiting.withSound : mostWaiting.withoutSound
    return this.#end === null && this.#sounds.length + this.#decoder.decodeQueueSize > most
  }

  #take(data: AudioData): void {
    try {
      // Of the first packet of Vorbis, in Firefox.
      if (data.numberOfFrames === 0) return
      const ownS = data.timestamp / 1e6
      this.#offsetS ??= (this.#firstPacketS ?? 0) - ownS
      const timeS = this.#times.next() ?? ownS + this.#offsetS
      this.#sounds.push({ timeS, sampleRate: data.sampleRate, channels: copyChannels(data) })
    } catch (error) {
      this.#endWith({ error })
    } finally {
      data.close()
      this.#report()
    }
  }

  #endWith(end: End): void {
    this.#end ??= end
    this.#report()
  }

  #report(): void {
    const resolve = this.#onChange
    this.#change = new Promise((onChange) => (this.#onChange = onChange))
    resolve()
  }
}
