import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeEntry, makeSpotifyTrack, makeYoutubeTrack } from '../../../testing/samples.ts'
import { QueueCard } from './queue-card.tsx'

const queue = [
  makeEntry({ ...makeSpotifyTrack('s1'), entry_id: 'e1', position: 0 }),
  makeEntry({ ...makeYoutubeTrack('v1'), entry_id: 'e2', position: 1 }),
]
const unplayable = { 'spotify:s1': 2 }
const item = (title: string) => within(screen.getByText(title).closest('li')!)

it('15.36 the owner sees how many cannot play an entry, and everybody the own reason', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue })
  await screen.findByText('Song s1')
  act(() => change({ unplayable, ownUnplayable: { 'spotify:s1': 'not_connected' } }))
  expect(item('Song s1').getByText('2 cannot play this')).toBeDefined()
  expect(item('Song s1').getByText('You cannot play this: Spotify is not connected')).toBeDefined()
  expect(item('Video v1').queryByText(/cannot play/)).toBeNull()
})

it('15.36 a listener sees no counts', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue, room: { owner_id: 'somebody' } })
  await screen.findByText('Song s1')
  act(() => change({ unplayable }))
  expect(screen.queryByText(/cannot play/)).toBeNull()
})

it('15.39 names the source of each entry, with a link back to its provider', async () => {
  await renderInRoom(<QueueCard />, { queue })
  const link = await screen.findByRole('link', { name: 'Song s1 on Spotify' })
  expect(link.textContent).toBe('Spotify')
  expect(link.getAttribute('href')).toBe('https://open.spotify.com/track/s1')
  expect(screen.getByRole('link', { name: 'Video v1 on YouTube' }).getAttribute('target')).toBe('_blank')
})
