import { AudioSampleSink, type AudioSample, type EncodedPacket, type InputAudioTrack } from 'mediabunny'
import { PacketTimes } from './packet-times.ts'

interface PacketDecoder {
  decode(packet: EncodedPacket): void
}

type CreateDecoder = (
  onSample: (sample: AudioSample) => unknown,
  onError: (error: unknown) => unknown,
) => Promise<PacketDecoder>

/** Mediabunny's own, which its types leave out. */
const internals = AudioSampleSink.prototype as unknown as { _createDecoder: CreateDecoder }

/**
 * Decodes packets at times from 0 on, and gives their samples the times of the packets. The pre-skip of Opus has negative
 * ones: WebKitGTK 2.50 takes them for sound played backwards, and withholds it until the end.
 */
export class SampleSink extends AudioSampleSink {
  readonly #track: InputAudioTrack
  readonly #statedS = new WeakMap<AudioSample, number>()

  constructor(track: InputAudioTrack) {
    super(track)
    this.#track = track
  }

  /** Returns the time that the file states for a sample, s. */
  statedS(sample: AudioSample): number {
    return this.#statedS.get(sample) ?? sample.timestamp
  }

  /** Overrides mediabunny's own. */
  async _createDecoder(...[onSample, onError]: Parameters<CreateDecoder>): Promise<PacketDecoder> {
    let shiftS: number | null = null
    const times = new PacketTimes(await this.#track.getCodec())
    const putBack = (sample: AudioSample) => {
      const timeS = times.next()
      if (timeS !== null) this.#statedS.set(sample, timeS)
      if (shiftS) sample.setTimestamp(sample.timestamp - shiftS)
      return onSample(sample)
    }
    const decoder = await internals._createDecoder.call(this, putBack, onError)
    const decode = decoder.decode.bind(decoder)
    decoder.decode = (packet) => {
      shiftS ??= Math.max(0, -packet.timestamp)
      times.add(packet.timestamp)
      decode(shiftS > 0 ? packet.clone({ timestamp: packet.timestamp + shiftS }) : packet)
    }
    return decoder
  }
}
