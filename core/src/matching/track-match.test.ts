import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Source, Track } from '../protocol/entities.ts'
import { makeTrack } from '../testing/tracks.ts'
import { compareTracks, rankMatches } from './track-match.ts'

const song = (
  title: string,
  artist: string,
  duration: number,
  source: Source,
  rest: Partial<Track> = {},
) => ({
  ...makeTrack(`${source}:${title}`, duration, source),
  title,
  artist,
  ...rest,
})
const owned = song('Harbour Lights', 'Paper Lanterns', 214_000, 'library')
const video = (title: string, artist = 'Paper Lanterns', duration = 214_000) =>
  song(title, artist, duration, 'youtube')
const confidence = (a: Track, b: Track) => compareTracks(a, b)?.confidence ?? 0

describe('comparing two tracks', () => {
  it.each([
    ['the same title', video('Harbour Lights')],
    ['another case and accents', video('HÁRBOUR LIGHTS')],
    ['what providers add', video('Harbour Lights (Official Video) [HD]')],
    ['a remaster', video('Harbour Lights (Remastered 2011)')],
    ['a remaster after a dash', video('Harbour Lights - 2011 Remaster')],
    ['the artist in the title', video('Paper Lanterns - Harbour Lights', 'Some Uploader')],
    ['the artist’s channel', video('Harbour Lights', 'Paper Lanterns - Topic')],
    ['a featured artist', video('Harbour Lights feat. Mara Lindqvist')],
    ['a second of difference', video('Harbour Lights', 'Paper Lanterns', 215_000)],
  ])('15.16 with %s they are the same song', (_, other) => {
    expect(confidence(owned, other)).toBeGreaterThan(0.9)
  })

  it.each([
    ['a live recording', video('Harbour Lights (Live)')],
    ['a remix', video('Harbour Lights (Halogen Remix)')],
    ['another duration', video('Harbour Lights', 'Paper Lanterns', 218_000)],
    ['another title', video('Winter Postcards')],
    ['another artist', video('Harbour Lights', 'Copper Kettle')],
    ['no words', video('???', '!!!')],
    ['an unknown duration', { ...video('Harbour Lights'), duration: 180_000, duration_unknown: true }],
  ])('15.16 with %s they are not offered', (_, other) => {
    expect(confidence(owned, other)).toBeLessThan(0.6)
  })

  it('15.16 the same code is the same recording, whatever the texts', () => {
    const code = { isrc: 'QZ-EAR-25-00001' }
    const other = song('Lumières du port', 'PL', 214_000, 'spotify', { isrc: 'qzear2500001' })
    expect(compareTracks({ ...owned, ...code }, other)).toEqual({ confidence: 1, by: 'isrc' })
    expect(compareTracks({ ...owned, isrc: '' }, { ...other, isrc: '' })?.by).toBe('text')
  })

  it('15.16 confidence lies between 0 and 1, is the same in both directions, and falls with the difference', () => {
    const words = fc.constantFrom(
      'harbour',
      'lights',
      'live',
      'official',
      'video',
      'Ünïted',
      '-',
      '(',
      ')',
      '',
    )
    const text = fc.oneof(
      fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'grapheme' }),
    )
    const tracks = fc.record({
      title: text,
      artist: text,
      source: fc.constantFrom<Source>('library', 'youtube'),
    })
    const differences = fc.integer({ min: 0, max: 3_000 })
    fc.assert(
      fc.property(tracks, tracks, differences, differences, (a, b, near, far) => {
        const at = (ms: number): number => {
          const [left, right] = [
            { ...a, duration: 200_000 },
            { ...b, duration: 200_000 + ms },
          ]
          const found = compareTracks(left, right)
          expect(compareTracks(right, left)).toEqual(found)
          return found?.confidence ?? NaN
        }
        expect(at(near)).toBeGreaterThanOrEqual(0)
        expect(at(near)).toBeLessThanOrEqual(1)
        expect(at(Math.min(near, far))).toBeGreaterThanOrEqual(at(Math.max(near, far)))
      }),
    )
  })

  it('15.16 a track with words is the same song as itself', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}$/).filter((text) => !['official', 'video'].includes(text))
    const texts = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => `x${parts.join(' x')}`)
    fc.assert(
      fc.property(texts, texts, (title, artist) => {
        const track = song(title, artist, 200_000, 'library')
        expect(confidence(track, { ...track, source: 'youtube' })).toBe(1)
      }),
    )
  })
})

describe('the matches of a track', () => {
  it('15.16 come best first, and only from sources whose terms allow it', () => {
    const others = [
      video('Harbour Lights (Official Video)', 'Paper Lanterns', 216_000),
      video('Harbour Lights'),
      { ...video('Harbour  Lights'), restriction: 'not_embeddable' as const },
      song('Harbour Lights', 'Paper Lanterns', 214_000, 'spotify'),
      song('Harbour Lights', 'Paper Lanterns', 214_000, 'library'),
    ]
    const titlesFor = (track: Track) => rankMatches(track, others).map((match) => match.track.id)
    expect(titlesFor(owned)).toEqual(['youtube:Harbour Lights', 'youtube:Harbour Lights (Official Video)'])
    for (const source of ['spotify', 'youtube'] as const) {
      expect(titlesFor({ ...owned, source })).toEqual(['library:Harbour Lights'])
    }
  })

  it('are at most five', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...video('Harbour Lights'),
      id: `youtube:${index}`,
    }))
    expect(rankMatches(owned, many)).toHaveLength(5)
  })
})
