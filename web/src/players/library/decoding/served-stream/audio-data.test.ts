import { expect, it } from 'vitest'
import { copyChannels } from './audio-data.ts'

/** Decoded sound of three channels, as WebKit has it: it gives them out in their own format only. */
function makeData(format: AudioSampleFormat, planes: ArrayBufferView[]): AudioData {
  const copyTo = (target: AllowSharedBufferSource, options: AudioDataCopyToOptions) => {
    if (options.format !== format) throw new Error('The page is gone')
    const [to, from] = [target as Uint8Array, planes[options.planeIndex]!]
    new Uint8Array(to.buffer).set(new Uint8Array(from.buffer))
  }
  return { format, numberOfChannels: 3, numberOfFrames: 2, copyTo } as unknown as AudioData
}

const half = [
  [0.5, -0.5],
  [0.25, 0],
  [-1, 0.75],
]
const interleave = (scale: number, silence = 0) =>
  [0, 1].flatMap((frame) => half.map((channel) => channel[frame]! * scale + silence))

it.each([
  ['u8', [Uint8Array.from(interleave(128, 128))]],
  ['s16', [Int16Array.from(interleave(2 ** 15))]],
  ['s32-planar', half.map((channel) => Int32Array.from(channel, (sample) => sample * 2 ** 31))],
  ['f32', [Float32Array.from(interleave(1))]],
] as const)(
  '15.51 more than two channels of %s are converted here where the browser cannot',
  (format, planes) => {
    expect(copyChannels(makeData(format, [...planes]), true).map((channel) => [...channel])).toEqual(half)
  },
)
