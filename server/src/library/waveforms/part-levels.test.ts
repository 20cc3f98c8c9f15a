import { expect, it } from 'vitest'
import { createPartLevels } from './part-levels.ts'

const tone = (count: number, level: number) =>
  new Float32Array(count).map((_, at) => (at % 2 ? level : -level))

it('17.77 a waveform has 200 values, 255 where the track is loudest', () => {
  const levels = createPartLevels(2)
  levels.add([tone(1_000, 0.1)], 0, 1_000)
  levels.add([tone(1_000, 0.2)], 1, 1_000)
  const peaks = levels.peaks()
  expect(peaks).toHaveLength(200)
  expect(new Set(peaks.slice(0, 100))).toEqual(new Set([128]))
  expect(new Set(peaks.slice(100))).toEqual(new Set([255]))
})

it('17.77 silence is flat, and a part without audio is as loud as the one before', () => {
  expect(new Set(createPartLevels(1).peaks())).toEqual(new Set([0]))
  const levels = createPartLevels(200)
  levels.add([tone(100, 0.5)], 50, 100)
  expect(levels.peaks().slice(49, 53)).toEqual([0, 255, 255, 255])
})

it('17.77 audio beyond the stated duration counts as its end', () => {
  const levels = createPartLevels(1)
  levels.add([tone(3_000, 0.5)], 0.9, 1_000)
  expect(levels.peaks()).toHaveLength(200)
  expect(levels.peaks().at(-1)).toBe(255)
})
