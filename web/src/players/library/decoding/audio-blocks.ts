import type { DecodedAudio } from './track-decoder.ts'
import { createResampler } from './resampler.ts'

/** A piece of the track at the context's sample rate. Frames are counted from the start of the track. */
export interface AudioBlock {
  startFrame: number
  /** Its length. `samples` has one frame more, the first of the next block, for interpolation. */
  frames: number
  /** One array a channel. */
  samples: Float32Array<ArrayBuffer>[]
}

/** Short, so that playback starts at once and decoding is spread: a burst of decoding causes underruns. */
const blockS = 0.2
/** A larger jump in the decoder's frame count is a gap in the file, not rounding. */
const gapS = 0.01

/** Cuts decoded audio into gapless blocks that begin exactly at `fromFrame`, resampled to `toRate`. */
export async function* cutBlocks(
  sounds: AsyncIterable<DecodedAudio>,
  fromFrame: number,
  toRate: number,
): AsyncGenerator<AudioBlock, void, undefined> {
  let converter: Converter | null = null
  let pending: Float32Array<ArrayBuffer>[] = []
  let startFrame = fromFrame
  const wanted = Math.round(blockS * toRate)

  for await (const sound of sounds) {
    converter ??= createConverter(sound, fromFrame, toRate)
    pending = append(pending, converter.convert(sound))
    while ((pending[0]?.length ?? 0) > wanted) {
      yield { startFrame, frames: wanted, samples: pending.map((channel) => channel.slice(0, wanted + 1)) }
      pending = pending.map((channel) => channel.slice(wanted))
      startFrame += wanted
    }
  }
  if (converter) pending = append(pending, converter.flush())
  const frames = pending[0]?.length ?? 0
  if (frames > 0) yield { startFrame, frames, samples: pending }
}

interface Converter {
  convert(sound: DecodedAudio): Float32Array<ArrayBuffer>[]
  flush(): Float32Array<ArrayBuffer>[]
}

/** Resamples, and fills gaps in the file with silence. */
function createConverter(first: DecodedAudio, fromFrame: number, toRate: number): Converter {
  const fromRate = first.sampleRate
  const resampler = createResampler({
    fromRate,
    toRate,
    channels: first.channels.length,
    firstInputFrame: first.startFrame,
    firstOutputFrame: fromFrame,
  })
  let nextFrame = first.startFrame

  const convert = (sound: DecodedAudio) => {
    const gap = sound.startFrame - nextFrame
    const silence = new Float32Array(gap > gapS * fromRate ? gap : 0)
    nextFrame += silence.length + (sound.channels[0]?.length ?? 0)
    return resampler.push(
      silence.length > 0
        ? append(
            sound.channels.map(() => silence),
            sound.channels,
          )
        : sound.channels,
    )
  }
  return { convert, flush: () => resampler.flush() }
}

function append(heads: Float32Array[], tails: readonly Float32Array[]): Float32Array<ArrayBuffer>[] {
  return tails.map((tail, index) => {
    const head = heads[index]
    const joined = new Float32Array((head?.length ?? 0) + tail.length)
    if (head) joined.set(head)
    joined.set(tail, head?.length ?? 0)
    return joined
  })
}
