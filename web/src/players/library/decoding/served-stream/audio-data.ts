/** WebKit ends the page where it is to convert more than two channels, so they are converted here. */
const isWebKit = /apple/i.test(navigator.vendor)

/** How samples are stored, the one of silence, and its distance from the largest one (WebCodecs, 9.3). */
const storages = {
  u8: { Samples: Uint8Array, silence: 128, range: 128 },
  s16: { Samples: Int16Array, silence: 0, range: 2 ** 15 },
  s32: { Samples: Int32Array, silence: 0, range: 2 ** 31 },
  f32: { Samples: Float32Array, silence: 0, range: 1 },
}

/** Copies decoded sound, one array a channel. */
export function copyChannels(data: AudioData, isConverted = isWebKit): Float32Array[] {
  const copy = isConverted && data.numberOfChannels > 2 ? convertChannel : copyChannel
  return Array.from({ length: data.numberOfChannels }, (_, channel) => copy(data, channel))
}

function copyChannel(data: AudioData, planeIndex: number): Float32Array {
  const channel = new Float32Array(data.numberOfFrames)
  data.copyTo(channel, { planeIndex, format: 'f32-planar' })
  return channel
}

function convertChannel(data: AudioData, channel: number): Float32Array {
  const format = data.format ?? 'f32-planar'
  const isPlanar = format.endsWith('-planar')
  const { Samples, silence, range } = storages[format.split('-')[0] as keyof typeof storages]
  const [step, first, planeIndex] = isPlanar ? [1, 0, channel] : [data.numberOfChannels, channel, 0]
  const samples = new Samples(data.numberOfFrames * step)
  data.copyTo(samples, { planeIndex, format })
  return Float32Array.from(
    { length: data.numberOfFrames },
    (_, frame) => ((samples[frame * step + first] ?? 0) - silence) / range,
  )
}
