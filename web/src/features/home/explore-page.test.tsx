import { AppError } from '@earshot/core/protocol/errors'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeRoom, makeSources, makeTrack } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({ 'GET /api/sources': () => ({ sources: makeSources({ spotify: true, youtube: true }) }) }),
)

const video = makeTrack({ source: 'youtube' })

it('2.2 lists public rooms, those that play first, and by source', async () => {
  const playing = makeRoom({ id: 'r2', name: 'Playing', listeners: 1, is_playing: true, currentTrack: video })
  const quiet = makeRoom({ id: 'r1', name: 'Quiet', listeners: 9 })
  answerCalls({
    'GET /api/rooms': ({ query }) => {
      expect(query.get('scope')).toBe('public')
      expect(query.get('order')).toBe('playing')
      if (query.get('source') === null) return { rooms: [playing, quiet] }
      return { rooms: query.get('source') === 'youtube' ? [playing] : [] }
    },
  })
  await renderApp({ path: '/explore' })
  await screen.findByText('Quiet')
  const names = () => within(screen.getByRole('main')).queryAllByRole('heading', { level: 3 })
  expect(names().map((name) => name.textContent)).toEqual(['Playing', 'Quiet'])
  fireEvent.click(screen.getByRole('button', { name: 'YouTube' }))
  await waitFor(() => expect(names().map((name) => name.textContent)).toEqual(['Playing']))
  fireEvent.click(screen.getByRole('button', { name: 'Spotify' }))
  await screen.findByText('No public room is playing from Spotify')
})

it('2.2, 17.60 loads more of a long list on demand, and shows a room that moved between pages once', async () => {
  const page = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      makeRoom({ id: `r${first + index}`, name: `Room ${first + index}` }),
    )
  answerCalls({
    'GET /api/rooms': ({ query }) =>
      query.get('cursor') === null
        ? { rooms: page(0, 24), nextCursor: '24' }
        : { rooms: page(23, 24), nextCursor: null },
  })
  await renderApp({ path: '/explore' })
  await screen.findByText('Room 0')
  expect(screen.getAllByRole('button', { name: /^Join Room/ })).toHaveLength(24)
  fireEvent.click(screen.getByRole('button', { name: 'Show more rooms' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Join Room/ })).toHaveLength(47))
  expect(screen.queryByRole('button', { name: 'Show more rooms' })).toBeNull()
})

it('17.63 loads more where the end came into view while the page was busy', async () => {
  let observe: IntersectionObserverCallback = () => undefined
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      observe = callback
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  onTestFinished(() => void vi.unstubAllGlobals())
  answerCalls({
    'GET /api/rooms': ({ query }) =>
      query.get('cursor') === null
        ? { rooms: [makeRoom()], nextCursor: '1' }
        : { rooms: [makeRoom({ id: 'r2', name: 'Attic' })], nextCursor: null },
  })
  await renderApp({ path: '/explore' })
  await screen.findByText('Kitchen Radio')
  const seen = [false, true].map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry)
  observe(seen, {} as IntersectionObserver)
  expect(await screen.findByText('Attic')).toBeDefined()
})

it('17.63 says when more rooms cannot be loaded, keeps those that are there, and tries again', async () => {
  let isDown = true
  answerCalls({
    'GET /api/rooms': ({ query }) => {
      if (query.get('cursor') === null) return { rooms: [makeRoom()], nextCursor: '1' }
      if (isDown) throw new AppError('internal')
      return { rooms: [makeRoom({ id: 'r2', name: 'Attic' })], nextCursor: null }
    },
  })
  await renderApp({ path: '/explore' })
  fireEvent.click(await screen.findByRole('button', { name: 'Show more rooms' }))
  await screen.findByText('Could not load the available rooms. Please try again.')
  expect(screen.getByText('Kitchen Radio')).toBeDefined()
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Show more rooms' }))
  expect(await screen.findByText('Attic')).toBeDefined()
})

it('17.66 offers no source before the server says that it works', async () => {
  let answer = (): void => undefined
  const known = new Promise<void>((resolve) => (answer = resolve))
  answerCalls({
    'GET /api/rooms': () => ({ rooms: [makeRoom()] }),
    'GET /api/sources': async () => {
      await known
      return { sources: makeSources({ youtube: true }) }
    },
  })
  await renderApp({ path: '/explore' })
  await screen.findByText('Kitchen Radio')
  expect(screen.queryByRole('button', { name: 'YouTube' })).toBeNull()
  answer()
  expect(await screen.findByRole('button', { name: 'YouTube' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Spotify' })).toBeNull()
})
