const taps = 16
/** Positions between two samples: 1 / 1,024 of one is 20 ns. */
const phases = 1_024

/** Windowed sinc kernels, one per phase, each with a gain of 1. */
const kernels = Array.from({ length: phases }, (_, phase) => {
  const weights = Float64Array.from({ length: 2 * taps }, (_unused, index) => {
    const x = index - taps + 1 - phase / phases
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    return sinc * Math.cos((Math.PI * x) / (2 * taps + 2)) ** 2
  })
  const gain = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / gain)
})

/** Returns the value between samples, band-limited: linear interpolation would cut the treble, and correlation with it. */
export function interpolate(sound: Float32Array, at: number): number {
  const step = Math.round(at * phases)
  const first = Math.floor(step / phases) - taps + 1
  const kernel = kernels[step - Math.floor(step / phases) * phases]
  let sum = 0
  for (let tap = 0; tap < 2 * taps; tap += 1) sum += (sound[first + tap] ?? 0) * (kernel?.[tap] ?? 0)
  return sum
}
