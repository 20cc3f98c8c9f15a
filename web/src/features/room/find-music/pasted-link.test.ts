import { expect, it } from 'vitest'
import { readPastedLinks } from './pasted-link.ts'

it.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1',
  'http://youtu.be/dQw4w9WgXcQ?si=x',
  'https://music.youtube.com/playlist?list=PL1',
  'https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC?si=1',
  'spotify:track:4uLU6hMCjMI75M1A2tKUQC',
  'spotify:playlist:37i9dQZF1DXcBWIGoYBM5M',
  'HTTPS://YOUTU.BE/dQw4w9WgXcQ',
])('15.30 reads %s as a link', (link) => {
  expect(readPastedLinks(`  ${link} `)).toEqual([link])
})

it('15.30 completes an address without a scheme, and finds a link between words', () => {
  expect(readPastedLinks('youtu.be/dQw4w9WgXcQ')).toEqual(['https://youtu.be/dQw4w9WgXcQ'])
  expect(readPastedLinks('m.youtube.com/watch?v=1')).toEqual(['https://m.youtube.com/watch?v=1'])
  expect(readPastedLinks('Listen: https://youtu.be/dQw4w9WgXcQ now')).toEqual([
    'https://youtu.be/dQw4w9WgXcQ',
  ])
})

it('15.30 a link to another site is no search either: the server refuses it', () => {
  expect(readPastedLinks('https://example.org/song')).toEqual(['https://example.org/song'])
})

it('15.30 reads several links, each once, in their order', () => {
  const [one, two] = ['https://youtu.be/OK_00000001', 'https://www.youtube.com/watch?v=OK_00000002']
  expect(readPastedLinks(`${one}\n${two} ${one}`)).toEqual([one, two])
})

it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
  '15.30 %s is no search either: the server refuses it',
  (address) => expect(readPastedLinks(address)).toEqual([address]),
)

it.each([
  're:stacks',
  '',
  '  ',
  'youtube.com',
  'spotify the band',
  'AC/DC',
  'spotify: live',
  'http:// broken',
  'a.b/c',
])('15.30 searches for %j', (words) => {
  expect(readPastedLinks(words)).toEqual([])
})
