import { isChromium } from '../../chromium.ts'
import { AudioSampleSink, type AudioSample, type EncodedPacket, type InputAudioTrack } from 'mediabunny'

interface PacketDecoder {
  decode(packet: EncodedPacket): void
}

type CreateDecoder = (
  onSample: (sample: AudioSample) => unknown,
  onError: (error: unknown) => unknown,
) => Promise<PacketDecoder>

/**
 * Whether each packet gives one sample. Of WebKit that is known of GTK only, and not needed: its samples have the times of
 * their packets.
 */
const isPaired = isChromium || navigator.userAgent.includes('Firefox/')

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

  /**
   * Returns the time that the file states for a sample: its packet's, s. A sample's own time is counted in Chromium, which is
   * too early behind a gap in the file, and that of the packet before where Vorbis starts: its first packet gives no sample
   * (Vorbis I, 4.3.8).
   */
  statedS(sample: AudioSample): number {
    return this.#statedS.get(sample) ?? sample.timestamp
  }

  /** Overrides mediabunny's own. */
  async _createDecoder(...[onSample, onError]: Parameters<CreateDecoder>): Promise<PacketDecoder> {
    let shiftS: number | null = null
    /** Of the packets whose samples are to come. */
    const timesS: number[] = []
    const isVorbis = (await this.#track.getCodec()) === 'vorbis'
    let skipped = isVorbis ? 1 : 0
    const putBack = (sample: AudioSample) => {
      const timeS = timesS.shift()
      if (timeS !== undefined && (isPaired || isVorbis)) this.#statedS.set(sample, timeS)
      if (shiftS) sample.setTimestamp(sample.timestamp - shiftS)
      return onSample(sample)
    }
    const decoder = await internals._createDecoder.call(this, putBack, onError)
    const decode = decoder.decode.bind(decoder)
    decoder.decode = (packet) => {
      shiftS ??= Math.max(0, -packet.timestamp)
      if (skipped > 0) skipped -= 1
      else timesS.push(packet.timestamp)
      decode(shiftS > 0 ? packet.clone({ timestamp: packet.timestamp + shiftS }) : packet)
    }
    return decoder
  }
}
