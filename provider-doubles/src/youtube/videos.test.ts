import { expect, it } from 'vitest'
import {
  behaviourFromPrefix,
  isVideoId,
  prefixedKinds,
  toPrefixedId,
  videoFromPrefix,
} from './prefixed-ids.ts'
import { sampleVideos, toIsoDuration } from './videos.ts'

it('formats durations as ISO 8601', () => {
  const format = (durationMs: number) => toIsoDuration({ durationMs, isLive: false })
  expect([0, 5_000, 60_000, 3_600_000, 86_400_000, 93_784_000].map(format)).toEqual([
    'PT0S',
    'PT5S',
    'PT1M',
    'PT1H',
    'P1D',
    'P1DT2H3M4S',
  ])
})

it('has only ids that YouTube could have given', () => {
  const prefixes = Object.keys(prefixedKinds) as (keyof typeof prefixedKinds)[]
  for (const prefix of prefixes) expect(isVideoId(toPrefixedId(prefix))).toBe(true)
  for (const { id } of sampleVideos) expect(isVideoId(id)).toBe(true)
  expect(isVideoId('too_short')).toBe(false)
})

it('reads how a video behaves from the beginning of its id', () => {
  expect(videoFromPrefix('SHORT_xyz_9')).toMatchObject({ durationMs: 8_000 })
  expect(behaviourFromPrefix('E153_xyz_99')).toEqual({ error: 153 })
  expect(videoFromPrefix('E100_000001')).toBeNull()
  expect(videoFromPrefix('OTHER_00001')).toBeNull()
  expect(behaviourFromPrefix('dQw4w9WgXcQ')).toEqual({})
})
