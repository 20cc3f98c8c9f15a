import { trackSchema } from '@earshot/core/protocol/entities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDuration, toTrack, toVideo, videoItemSchema } from './video-track.ts'

it.each([
  ['PT3M20S', 200_000],
  ['PT8S', 8_000],
  ['PT1H', 3_600_000],
  ['PT10H1M1S', 36_061_000],
  ['P1DT2H', 93_600_000],
  ['PT1.5S', 1_500],
  ['P0D', null],
  ['PT0S', null],
  ['P9999999999W', null],
  ['3:20', null],
  ['', null],
  [null, null],
])('9.2 the duration %j is %j ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

it('any video with an id becomes a valid track', () => {
  const strange = fc.anything({ maxDepth: 2 })
  const part = (...names: string[]) =>
    fc.oneof(
      strange,
      fc.record(Object.fromEntries(names.map((name) => [name, strange])), { requiredKeys: [] }),
    )
  const items = fc.record(
    {
      snippet: part('title', 'channelTitle', 'thumbnails', 'liveBroadcastContent'),
      contentDetails: part('duration', 'contentRating', 'regionRestriction'),
      status: part('embeddable', 'privacyStatus', 'uploadStatus'),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(items, (item) => {
      const track = toTrack(toVideo(videoItemSchema.parse({ id: 'harbour0001', ...item })))
      expect(trackSchema.parse(track)).toEqual(track)
    }),
  )
})

it('15.42 a title has no control characters, escaped ones included', () => {
  const snippet = { title: 'a\u0000b &#7;&lt;i&gt;\u202e\ud800', channelTitle: '\u0000' }
  const video = toVideo(videoItemSchema.parse({ id: 'v1', snippet }))
  expect(video).toMatchObject({ title: 'a b  <i> \ufffd', channelTitle: 'YouTube' })
})

it.each(['a b', 'a,b', 'a&x=1', '"><img>', '../x', 'x'.repeat(65), ''])(
  '15.42 a video with the id %j is left out',
  (id) => {
    expect(videoItemSchema.safeParse({ id }).success).toBe(false)
  },
)
