/**
 * How an error of PulseAudio's first measurement of a stream makes its later positions late. Its client library measures at
 * fixed ages of the stream and extrapolates in between, by a linear filter, so all streams drift alike. (Computed from
 * `time-smoother_2.c`, which it uses since version 16; recorded streams follow it within some per cent.)
 */
const parts = [
  { fromS: 0, late: 1, drift: 0 },
  { fromS: 0.14, late: 0.971, drift: -0.192 },
  { fromS: 0.3, late: 0.858, drift: -0.459 },
  { fromS: 0.62, late: 0.469, drift: -0.842 },
  { fromS: 1.26, late: -0.395, drift: -1.098 },
  { fromS: 2.54, late: -1.597, drift: -1.018 },
  { fromS: 4.04, late: -2.146, drift: -0.777 },
]
/** It repeats from then on, smaller each time. */
const repeated = { fromS: 5.54, late: -1.528, drift: -0.558 }
const periodS = 1.5
const decay = 0.7
/** A position this close to a measurement may be from before or after it. */
const measurementS = 0.05

/**
 * Returns the segment of the response at an age, s: its start, its lateness per unit of error, and how that drifts
 * per s.
 */
function partAt(ageS: number): typeof repeated {
  const periods = Math.floor((ageS - repeated.fromS) / periodS)
  if (periods < 0) return parts.findLast(({ fromS }) => fromS <= ageS) ?? repeated
  const scale = decay ** periods
  return {
    fromS: repeated.fromS + periods * periodS,
    late: repeated.late * scale,
    drift: repeated.drift * scale,
  }
}

/** By how much an error of 1 makes the positions late at an age of the stream, s. */
export function lateAt(ageS: number): number {
  const { fromS, late, drift } = partAt(ageS)
  return late + drift * (ageS - fromS)
}

/** Whether the library measures at about this age, s. */
export const isMeasuredAt = (ageS: number): boolean =>
  partAt(ageS - measurementS).fromS !== partAt(ageS + measurementS).fromS
