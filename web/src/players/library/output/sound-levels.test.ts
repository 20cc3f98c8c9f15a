import { expect, it } from 'vitest'
import { meanLevels } from './sound-levels.ts'

it('17.7 the levels are the means of four bands, and 0 in silence', () => {
  const bins = new Uint8Array(128)
  expect(meanLevels(bins)).toEqual([0, 0, 0, 0])
  bins.fill(255, 0, 2)
  bins.fill(255, 6, 12)
  expect(meanLevels(bins)).toEqual([1, 0, 0.5, 0])
})
