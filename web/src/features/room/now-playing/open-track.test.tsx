import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeSpotifyTrack, makeTrack, makeYoutubeTrack } from '../../../testing/samples.ts'
import { OpenTrack, openAddress } from './open-track.tsx'

it("2.23e opens a Spotify track's uri, a video's address, and nothing for the library", () => {
  expect(openAddress(makeSpotifyTrack('s1'))).toBe('spotify:track:s1')
  expect(openAddress(makeSpotifyTrack('s1', { uri: null }))).toBe('https://open.spotify.com/track/s1')
  expect(openAddress(makeYoutubeTrack('v1'))).toBe('https://www.youtube.com/watch?v=v1')
  expect(openAddress(makeYoutubeTrack('v1', { url: null }))).toBeNull()
  expect(openAddress(makeTrack({ url: 'https://example.org' }))).toBeNull()
})

it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//evil.example', 'x', 'spotify:'])(
  '2.23e never opens %s',
  (address) => {
    expect(openAddress(makeYoutubeTrack('v1', { url: address }))).toBeNull()
    expect(openAddress(makeSpotifyTrack('s1', { uri: address, url: address }))).toBeNull()
  },
)

it('2.23e, 6.3b the owner has the button, in a new tab without access to this one', async () => {
  await renderInRoom(<OpenTrack track={makeYoutubeTrack('v1')} />)
  const open = await screen.findByRole('link', { name: 'Open' })
  expect(open.getAttribute('href')).toBe('https://www.youtube.com/watch?v=v1')
  expect(open.getAttribute('target')).toBe('_blank')
  expect(open.getAttribute('rel')).toContain('noopener')
})

it('2.23e, 6.3b a listener has no such button', async () => {
  await renderInRoom(
    <>
      <p>shown</p>
      <OpenTrack track={makeYoutubeTrack('v1')} />
    </>,
    { room: { owner_id: 'somebody' } },
  )
  expect(await screen.findByText('shown')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Open' })).toBeNull()
})
