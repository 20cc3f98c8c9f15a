import { expect, it } from 'vitest'
import { drawBars } from './waveform-clip.tsx'

it('17.79 draws a hundred bars around the middle, the loudest as high as the bar, silence as a thin line', () => {
  const peaks = Array.from({ length: 200 }, (_none, at) => (at < 100 ? 0 : 255))
  const bars = drawBars(peaks).split('z').filter(Boolean)
  expect(bars).toHaveLength(100)
  expect(bars[0]).toMatch(/ 0\.45h[\d.]+v0\.1h/)
  expect(bars[99]).toMatch(/ 0h[\d.]+v1h/)
  expect(drawBars([])).toBe('')
})
