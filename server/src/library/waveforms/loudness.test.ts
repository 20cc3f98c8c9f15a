import { expect, it } from 'vitest'
import { createLoudness } from './loudness.ts'

const tone = (count: number, level: number) =>
  new Float32Array(count).map((_, at) => (at % 2 ? level : -level))

it('17.77 a waveform has 200 values, 255 where the track is loudest', () => {
  const loudness = createLoudness(2)
  loudness.add([tone(1_000, 0.1)], 0, 1_000)
  loudness.add([tone(1_000, 0.2)], 1, 1_000)
  const peaks = loudness.peaks()
  expect(peaks).toHaveLength(200)
  expect(new Set(peaks.slice(0, 100))).toEqual(new Set([128]))
  expect(new Set(peaks.slice(100))).toEqual(new Set([255]))
})

it('17.77 silence is flat, and a part without audio is as loud as the one before', () => {
  expect(new Set(createLoudness(1).peaks())).toEqual(new Set([0]))
  const loudness = createLoudness(200)
  loudness.add([tone(100, 0.5)], 50, 100)
  expect(loudness.peaks().slice(49, 53)).toEqual([0, 255, 255, 255])
})

it('17.77 audio beyond the stated duration counts as its end', () => {
  const loudness = createLoudness(1)
  loudness.add([tone(3_000, 0.5)], 0.9, 1_000)
  expect(loudness.peaks()).toHaveLength(200)
  expect(loudness.peaks().at(-1)).toBe(255)
})
