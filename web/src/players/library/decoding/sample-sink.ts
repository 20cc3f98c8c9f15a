import { AudioSampleSink, type AudioSample, type EncodedPacket } from 'mediabunny'

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
  /** Overrides mediabunny's own. */
  async _createDecoder(...[onSample, onError]: Parameters<CreateDecoder>): Promise<PacketDecoder> {
    let shiftS: number | null = null
    const putBack = (sample: AudioSample) => {
      if (shiftS) sample.setTimestamp(sample.timestamp - shiftS)
      return onSample(sample)
    }
    const decoder = await internals._createDecoder.call(this, putBack, onError)
    const decode = decoder.decode.bind(decoder)
    decoder.decode = (packet) => {
      shiftS ??= Math.max(0, -packet.timestamp)
      decode(shiftS > 0 ? packet.clone({ timestamp: packet.timestamp + shiftS }) : packet)
    }
    return decoder
  }
}
