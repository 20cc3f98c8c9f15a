/**
 * Streaming conversion of the sample rate by a Kaiser-windowed sinc in polyphase form (J. O. Smith, "Digital Audio
 * Resampling"), since the buffer sources of a browser only interpolate linearly. Frames are counted from the start
 * of the track on both sides, so the result does not depend on where a listener began.
 */
interface Resampler {
  /** Takes the next input frames, one array a channel, and returns the output frames that they complete. */
  push(channels: readonly Float32Array[]): Float32Array<ArrayBuffer>[]
  /** The output frames that still wait for input, as if silence followed. */
  flush(): Float32Array<ArrayBuffer>[]
}

interface ResamplerRange {
  fromRate: number
  toRate: number
  channels: number
  /** Index of the first input frame that will be pushed. Earlier frames count as silence. */
  firstInputFrame: number
  /** Index of the first output frame wanted. */
  firstOutputFrame: number
}

/** Zero crossings of the sinc on each side, and the window's shape: about 80 dB of image rejection. */
const crossings = 24
const kaiserBeta = 8
const passband = 0.95

export function createResampler(range: ResamplerRange): Resampler {
  if (range.fromRate === range.toRate) return createPassThrough(range)
  const divisor = greatestCommonDivisor(range.fromRate, range.toRate)
  const step = range.fromRate / divisor
  const phases = range.toRate / divisor
  const kernel = makeKernel(step, phases)
  const halfTaps = kernel.taps / 2
  const histories = Array.from({ length: range.channels }, () => new Float32Array(halfTaps))
  let historyFrame = range.firstInputFrame - halfTaps
  let nextOutput = range.firstOutputFrame

  /** How many output frames have all their taps, when the input is known up to `inputEnd` (exclusive). */
  const countReady = (inputEnd: number) =>
    Math.max(0, Math.ceil(((inputEnd - halfTaps) * phases) / step) - nextOutput)

  const push = (channels: readonly Float32Array[]) => {
    const inputs = histories.map((history, index) => concatenate(history, channels[index]))
    const length = inputs[0]?.length ?? 0
    const count = countReady(historyFrame + length)
    const outputs = inputs.map((input) => {
      const output = new Float32Array(count)
      for (let index = 0; index < count; index++) {
        const scaled = (nextOutput + index) * step
        const first = Math.floor(scaled / phases) - halfTaps + 1 - historyFrame
        output[index] = convolve(input, first, kernel, scaled % phases)
      }
      return output
    })
    nextOutput += count
    const keepFrom = Math.floor((nextOutput * step) / phases) - halfTaps + 1
    const dropped = Math.max(0, Math.min(length, keepFrom - historyFrame))
    for (const [index, input] of inputs.entries()) histories[index] = input.slice(dropped)
    historyFrame += dropped
    return outputs
  }

  const flush = () => push(histories.map(() => new Float32Array(halfTaps)))
  return { push, flush }
}

function createPassThrough({ firstInputFrame, firstOutputFrame, channels }: ResamplerRange): Resampler {
  let toDrop = firstOutputFrame - firstInputFrame
  const push = (inputs: readonly Float32Array[]) => {
    const padding = Math.max(0, -toDrop)
    const dropped = Math.min(Math.max(0, toDrop), inputs[0]?.length ?? 0)
    toDrop = Math.max(0, toDrop) - dropped
    return inputs.map((input) => concatenate(new Float32Array(padding), input.subarray(dropped)))
  }
  return { push, flush: () => Array.from({ length: channels }, () => new Float32Array(0)) }
}

interface Kernel {
  taps: number
  /** `taps` coefficients a phase. */
  coefficients: Float32Array
}

const kernels = new Map<string, Kernel>()

function makeKernel(step: number, phases: number): Kernel {
  const known = kernels.get(`${step}/${phases}`)
  if (known) return known
  const cutoff = Math.min(1, phases / step) * passband
  const halfTaps = Math.ceil(crossings / cutoff)
  const taps = halfTaps * 2
  const coefficients = new Float32Array(taps * phases)
  for (let phase = 0; phase < phases; phase++) {
    const row = coefficients.subarray(phase * taps, (phase + 1) * taps)
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - halfTaps + 1 - phase / phases
      row[tap] = cutoff * sinc(cutoff * distance) * kaiser(distance / halfTaps)
    }
    const sum = row.reduce((total, coefficient) => total + coefficient, 0)
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] ?? 0) / sum
  }
  const kernel = { taps, coefficients }
  kernels.set(`${step}/${phases}`, kernel)
  return kernel
}

function convolve(input: Float32Array, first: number, kernel: Kernel, phase: number): number {
  const { taps, coefficients } = kernel
  const row = phase * taps
  let sum = 0
  for (let tap = 0; tap < taps; tap++) sum += (input[first + tap] ?? 0) * (coefficients[row + tap] ?? 0)
  return sum
}

/** Joins samples, of which either part may be missing. */
export function concatenate(
  head: Float32Array = new Float32Array(0),
  tail: Float32Array = new Float32Array(0),
): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(head.length + tail.length)
  joined.set(head)
  joined.set(tail, head.length)
  return joined
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const kaiser = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x)) / bessel(kaiserBeta)

/** Modified Bessel function of the first kind, order 0, by its power series. */
function bessel(x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / 2 / k) ** 2
    sum += term
  }
  return sum
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
