import type { DecodedAudio } from './track-decoder.ts'
import { concatenate, createResampler } from './resampler.ts'

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
/** More than resampling reads before a frame. */
const leadS = 0.01

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
    // The silence between this and the start may be hours long.
    if (!converter && endS(sound) < fromFrame / toRate - leadS) continue
    converter ??= createConverter(sound, fromFrame, toRate)
    for (const piece of converter.convert(sound)) {
      pending = append(pending, piece)
      while ((pending[0]?.length ?? 0) > wanted) {
        yield { startFrame, frames: wanted, samples: pending.map((channel) => channel.slice(0, wanted + 1)) }
        pending = pending.map((channel) => channel.slice(wanted))
        startFrame += wanted
      }
    }
  }
  if (converter) pending = append(pending, converter.flush())
  const frames = pending[0]?.length ?? 0
  if (frames > 0) yield { startFrame, frames, samples: pending }
}

interface Converter {
  convert(sound: DecodedAudio): Iterable<Float32Array<ArrayBuffer>[]>
  flush(): Float32Array<ArrayBuffer>[]
}

const endS = ({ startFrame, sampleRate, channels }: DecodedAudio): number =>
  (startFrame + (channels[0]?.length ?? 0)) / sampleRate

/**
 * Resamples, fills gaps in the file with silence, leaves out what overlaps with what was before, and keeps the number of
 * channels, which may change in a recording.
 */
function createConverter(first: DecodedAudio, fromFrame: number, toRate: number): Converter {
  const fromRate = first.sampleRate
  // The file may begin with a gap, too.
  let nextFrame = Math.min(first.startFrame, Math.floor((fromFrame / toRate) * fromRate))
  const resampler = createResampler({
    fromRate,
    toRate,
    channels: first.channels.length,
    firstInputFrame: nextFrame,
    firstOutputFrame: fromFrame,
  })

  function* convert({ startFrame, channels }: DecodedAudio) {
    const [mono = new Float32Array(0)] = channels
    const silentFrames = Math.max(0, startFrame - nextFrame)
    const overlap = Math.min(mono.length, Math.max(0, nextFrame - startFrame))
    nextFrame += silentFrames + mono.length - overlap
    // In pieces: it may be hours.
    const pieceFrames = blockS * fromRate
    for (let left = silentFrames; left > 0; left -= pieceFrames) {
      const silence = new Float32Array(Math.min(left, pieceFrames))
      yield resampler.push(first.channels.map(() => silence))
    }
    yield resampler.push(first.channels.map((_, index) => (channels[index] ?? mono).subarray(overlap)))
  }
  return { convert, flush: () => resampler.flush() }
}

function append(heads: Float32Array[], tails: readonly Float32Array[]): Float32Array<ArrayBuffer>[] {
  return tails.map((tail, index) => concatenate(heads[index], tail))
}
