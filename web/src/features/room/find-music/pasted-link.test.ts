import { expect, it } from 'vitest'
import { readPastedLink } from './pasted-link.ts'

it.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1',
  'http://youtu.be/dQw4w9WgXcQ?si=x',
  'https://music.youtube.com/playlist?list=PL1',
  'https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC?si=1',
  'spotify:track:4uLU6hMCjMI75M1A2tKUQC',
  'spotify:playlist:37i9dQZF1DXcBWIGoYBM5M',
  'HTTPS://YOUTU.BE/dQw4w9WgXcQ',
])('15.30 reads %s as a link', (link) => {
  expect(readPastedLink(`  ${link} `)).toBe(link)
})

it('15.30 completes an address without a scheme, and finds a link between words', () => {
  expect(readPastedLink('youtu.be/dQw4w9WgXcQ')).toBe('https://youtu.be/dQw4w9WgXcQ')
  expect(readPastedLink('m.youtube.com/watch?v=1')).toBe('https://m.youtube.com/watch?v=1')
  expect(readPastedLink('Listen: https://youtu.be/dQw4w9WgXcQ now')).toBe('https://youtu.be/dQw4w9WgXcQ')
})

it('15.30 a link to another site is no search either: the server refuses it', () => {
  expect(readPastedLink('https://example.org/song')).toBe('https://example.org/song')
})

it.each(['', '  ', 'youtube.com', 'spotify the band', 'AC/DC', 'spotify: live', 'http:// broken', 'a.b/c'])(
  '15.30 searches for %j',
  (words) => {
    expect(readPastedLink(words)).toBeNull()
  },
)
