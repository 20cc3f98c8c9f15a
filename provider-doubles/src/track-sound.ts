/** The sample rate of the served sounds, in Hz: that of the recorder, so that nothing is resampled on the way. */
export const soundSampleRate = 48_000

/**
 * Renders the sound of a track: mono noise, pink enough to survive a loudspeaker, that differs at every position. A pure
 * function of its arguments: every second has its own seed, so any part can be rendered alone (`fromSecond`).
 */
export function renderTrackSound(
  trackId: string,
  durationMs: number,
  sampleRate: number,
  fromSecond = 0,
): Float32Array {
  const samples = new Float32Array(Math.round((durationMs / 1_000) * sampleRate))
  const trackSeed = hash(trackId)
  for (let from = 0, second = fromSecond; from < samples.length; from += sampleRate, second += 1) {
    renderNoise(samples.subarray(from, from + sampleRate), hash(String(second), trackSeed))
  }
  return samples
}

/** Renders the sound of a track, or a part of it, as a mono 16-bit WAV file. */
export function renderTrackWav(
  trackId: string,
  durationMs: number,
  sampleRate = soundSampleRate,
  fromSecond = 0,
): Buffer {
  const samples = renderTrackSound(trackId, durationMs, sampleRate, fromSecond)
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16) // size of the format
  file.writeUInt16LE(1, 20) // PCM
  file.writeUInt16LE(1, 22) // channels
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * 2, 28)
  file.writeUInt16LE(2, 32) // bytes per frame
  file.writeUInt16LE(16, 34) // bits per sample
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples.length * 2, 40)
  const content = new Int16Array(file.buffer, file.byteOffset + 44, samples.length)
  for (let index = 0; index < samples.length; index += 1) content[index] = (samples[index] ?? 0) * 32_767
  return file
}

/** Noise of a linear congruential generator, low-passed in part. Peaks stay below 0.3. */
function renderNoise(target: Float32Array, seed: number): void {
  let state = seed
  let low = 0
  for (let index = 0; index < target.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const white = state / 2 ** 31 - 1
    low = 0.9 * low + 0.1 * white
    target[index] = 0.055 * white + 0.18 * low
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string, seed = 0x811c9dc5): number {
  let value = seed
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return value
}
