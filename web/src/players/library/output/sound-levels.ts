/** The first bin of each band, and the end of the last: 190 Hz a bin at 48 kHz. */
const bandEdges = [0, 2, 6, 18, 60]
const fftSize = 256
const smoothing = 0.6

/** Measures a node's sound: returns a function that reads the level of each band, low to high, 0..1. */
export function meterLevels(source: AudioNode): () => readonly number[] {
  const analyser = new AnalyserNode(source.context, { fftSize, smoothingTimeConstant: smoothing })
  const bins = new Uint8Array(analyser.frequencyBinCount)
  source.connect(analyser)
  return () => {
    analyser.getByteFrequencyData(bins)
    return meanLevels(bins)
  }
}

/** Averages the bins of each band; 0..255 becomes 0..1. */
export function meanLevels(bins: Uint8Array): readonly number[] {
  return bandEdges.slice(1).map((end, band) => {
    const own = bins.subarray(bandEdges[band], end)
    return own.reduce((sum, level) => sum + level, 0) / (own.length * 255)
  })
}
