import { sampleRate } from '../signal/stereo.ts'
import type { Curve } from '../signal/curve.ts'

const dipSeconds = 0.006

/**
 * The pumping of dance music: at each of the instants (rising, in seconds) the level dips to `floor` and swells
 * back over `seconds`.
 */
export function createDuck(instants: readonly number[], floor: number, seconds: number): Curve {
  const starts = instants.toSorted((a, b) => a - b)
  let current = -1
  return (frame) => {
    const at = frame / sampleRate
    if (current >= 0 && (starts[current] ?? 0) - dipSeconds > at) current = -1
    while (current + 1 < starts.length && (starts[current + 1] ?? 0) - dipSeconds <= at) current += 1
    if (current < 0) return 1
    const since = at - (starts[current] ?? 0)
    const before = current > 0 ? swell((starts[current] ?? 0) - dipSeconds - (starts[current - 1] ?? 0)) : 1
    if (since < 0) return floor + ((before - floor) * -since) / dipSeconds
    return swell(since)
  }

  function swell(since: number): number {
    if (since >= seconds) return 1
    return floor + (1 - floor) * Math.sin(((since / seconds) * Math.PI) / 2) ** 1.5
  }
}
