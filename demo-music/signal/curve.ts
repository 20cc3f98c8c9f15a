import { sampleRate } from './stereo.ts'

/** A value that changes over the time of a piece, asked by frame. */
export type Curve = (frame: number) => number

/** A point in time (seconds) and the value there. */
export type CurvePoint = readonly [atSeconds: number, value: number]

/** Goes through the points in straight lines; before the first and after the last it stays. */
export function createCurve(points: readonly CurvePoint[]): Curve {
  let segment = 0
  return (frame) => {
    const at = frame / sampleRate
    if ((points[segment]?.[0] ?? 0) > at) segment = 0
    while (segment < points.length - 1 && (points[segment + 1]?.[0] ?? 0) <= at) segment += 1
    const [fromAt, from] = points[segment] ?? [0, 0]
    const [toAt, to] = points[segment + 1] ?? [fromAt, from]
    if (at <= fromAt || toAt <= fromAt) return from
    return from + ((to - from) * (at - fromAt)) / (toAt - fromAt)
  }
}

/** As `createCurve`, but in equal ratios: for frequencies. Values must be above 0. */
export function createSweep(points: readonly CurvePoint[]): Curve {
  const curve = createCurve(points.map(([at, value]) => [at, Math.log2(value)] as const))
  return (frame) => 2 ** curve(frame)
}
