/** The first bin of each band, and the end of the last: 190 Hz a bin at 48 kHz. */
const bandEdges = [0, 2, 6, 18, 60]
const fftSize = 256
const smoothing = 0.6

/** Measures the loudness of a node's sound in four bands. */
export class SoundLevels {
  readonly #analyser: AnalyserNode
  readonly #bins: Uint8Array<ArrayBuffer>

  constructor(source: AudioNode) {
    this.#analyser = source.context.createAnalyser()
    this.#analyser.fftSize = fftSize
    this.#analyser.smoothingTimeConstant = smoothing
    this.#bins = new Uint8Array(this.#analyser.frequencyBinCount)
    source.connect(this.#analyser)
  }

  /** Returns the mean level of each band, low to high, 0..1. */
  read(): readonly number[] {
    this.#analyser.getByteFrequencyData(this.#bins)
    return meanLevels(this.#bins)
  }
}

/** Averages the bins of each band; 0..255 becomes 0..1. */
export function meanLevels(bins: Uint8Array): readonly number[] {
  return bandEdges.slice(1).map((end, band) => {
    const own = bins.subarray(bandEdges[band], end)
    return own.reduce((sum, level) => sum + level, 0) / (own.length * 255)
  })
}
