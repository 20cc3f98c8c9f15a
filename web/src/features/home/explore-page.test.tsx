import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeRoom, makeSources, makeTrack } from '../../testing/samples.ts'
import { pickRooms } from './explore-page.tsx'

beforeEach(() => answerCalls({ 'GET /api/sources': () => ({ sources: makeSources() }) }))

const video = makeTrack({ source: 'youtube' })

it('2.2 lists public rooms, those that play first, and by source', async () => {
  const rooms = [
    makeRoom({ id: 'r1', name: 'Quiet', listeners: 9 }),
    makeRoom({ id: 'r2', name: 'Playing', listeners: 1, is_playing: true, currentTrack: video }),
    makeRoom({ id: 'r3', name: 'Closed', is_public: false, is_playing: true }),
  ]
  answerCalls({ 'GET /api/rooms': () => ({ rooms }) })
  await renderApp({ path: '/explore' })
  await screen.findByText('Playing')
  const names = () => within(screen.getByRole('main')).queryAllByRole('heading', { level: 3 })
  expect(names().map((name) => name.textContent)).toEqual(['Playing', 'Quiet'])
  fireEvent.click(screen.getByRole('button', { name: 'YouTube' }))
  expect(names().map((name) => name.textContent)).toEqual(['Playing'])
  fireEvent.click(screen.getByRole('button', { name: 'Spotify' }))
  expect(screen.getByText('No public room is playing from Spotify')).toBeDefined()
})

it('2.2 shows more of a long list on demand', async () => {
  const rooms = Array.from({ length: 60 }, (_, index) => makeRoom({ id: `r${index}`, name: `Room ${index}` }))
  answerCalls({ 'GET /api/rooms': () => ({ rooms }) })
  await renderApp({ path: '/explore' })
  await screen.findByText('Room 0')
  expect(screen.getAllByRole('button', { name: /^Join Room/ })).toHaveLength(24)
  fireEvent.click(screen.getByRole('button', { name: 'Show more rooms' }))
  expect(screen.getAllByRole('button', { name: /^Join Room/ })).toHaveLength(48)
  fireEvent.click(screen.getByRole('button', { name: 'Show more rooms' }))
  expect(screen.getAllByRole('button', { name: /^Join Room/ })).toHaveLength(60)
  expect(screen.queryByRole('button', { name: 'Show more rooms' })).toBeNull()
})

it('2.2 rooms that play alike are ordered by listeners, then by age', () => {
  const rooms = [
    makeRoom({ id: 'old', listeners: 2, created_at: 1 }),
    makeRoom({ id: 'new', listeners: 2, created_at: 2 }),
    makeRoom({ id: 'full', listeners: 3, created_at: 0 }),
  ]
  expect(pickRooms(rooms, 'all').map((room) => room.id)).toEqual(['full', 'new', 'old'])
})
