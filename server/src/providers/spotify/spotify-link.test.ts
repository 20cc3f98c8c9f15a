import { expect, it } from 'vitest'
import { parseSpotifyLink } from './spotify-link.ts'

const id = '4uLU6hMCjMI75M1A2tKUQC'

it.each([
  `https://open.spotify.com/track/${id}`,
  `http://open.spotify.com/track/${id}`,
  `https://open.spotify.com/track/${id}?si=0123456789abcdef&context=spotify%3Aalbum`,
  `https://open.spotify.com/intl-de/track/${id}`,
  `https://open.spotify.com/intl-pt-BR/track/${id}/`,
  `https://open.spotify.com/embed/track/${id}`,
  `https://OPEN.spotify.com/track/${id}#0:10`,
  `open.spotify.com/track/${id}`,
  `  spotify:track:${id}\n`,
])('7.12b %s is a track', (link) => {
  expect(parseSpotifyLink(link)).toEqual({ kind: 'track', id })
})

it.each([
  `https://open.spotify.com/playlist/${id}?si=x`,
  `https://open.spotify.com/user/somebody/playlist/${id}`,
  `spotify:playlist:${id}`,
  `spotify:user:somebody:playlist:${id}`,
])('7.12b %s is a playlist', (link) => {
  expect(parseSpotifyLink(link)).toEqual({ kind: 'playlist', id })
})

it.each([
  '',
  'a song',
  `https://open.spotify.com/album/${id}`,
  `https://open.spotify.com/track/`,
  `https://open.spotify.com/track/..%2Fme`,
  `https://open.spotify.com/track/${'x'.repeat(101)}`,
  `https://open.spotify.com.evil.example/track/${id}`,
  `https://evil.example/open.spotify.com/track/${id}`,
  `https://open.spotify.com@evil.example/track/${id}`,
  `javascript:open.spotify.com/track/${id}`,
  `ftp://open.spotify.com/track/${id}`,
  `spotify:track:${id}/../../me`,
  `spotify:episode:${id}`,
  'http://[broken',
])('%s is no link to a track or playlist', (link) => {
  expect(parseSpotifyLink(link)).toBeNull()
})
