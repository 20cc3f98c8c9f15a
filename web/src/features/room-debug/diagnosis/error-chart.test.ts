import type { ErrorSample } from '@earshot/core/sync/follow/error-history'
import { expect, it } from 'vitest'
import { drawErrors } from './error-chart.tsx'

const size = { width: 240, height: 80 }
const sample = (atMs: number, errorMs: number | null): ErrorSample => ({
  atMs,
  errorMs,
  cause: errorMs === null ? 'paused' : 'in_sync',
  isHidden: false,
})
const draw = (...samples: ErrorSample[]) => drawErrors(samples, 120_000, size)

it('2.37e goes from two minutes ago at the left to now at the right, with the room in the middle', () => {
  expect(draw(sample(0, 10), sample(500, 0), sample(1_000, -10)).paths).toEqual([
    'M0.0 0.0L1.0 40.0L2.0 80.0',
  ])
  expect(draw(sample(119_500, 0), sample(120_000, 5)).paths).toEqual(['M239.0 40.0L240.0 20.0'])
})

it('2.37e leaves a gap for missing errors and missing samples', () => {
  const { paths } = draw(
    sample(0, 0),
    sample(500, null),
    sample(1_000, 0),
    sample(1_500, 0),
    sample(5_000, 0),
  )
  expect(paths).toEqual(['M0.0 40.0L0.0 40.0', 'M2.0 40.0L3.0 40.0', 'M10.0 40.0L10.0 40.0'])
})

it('widens the range for large errors and clips extreme ones at the edge', () => {
  expect(draw().rangeMs).toBe(10)
  expect(draw(sample(0, -11)).rangeMs).toBe(20)
  expect(draw(sample(0, 5_000))).toEqual({ rangeMs: 1_000, paths: ['M0.0 0.0L0.0 0.0'] })
})
