import type { Room } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeRoom, makeSources, makeTrack } from '../../testing/samples.ts'

beforeEach(() => answerCalls({ 'GET /api/sources': () => ({ sources: makeSources({ spotify: true }) }) }))
afterEach(() => vi.useRealTimers())

const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  const item = heading.closest<HTMLElement>('[role="listitem"]')
  if (!item) throw new Error(`${name} is no card`)
  return within(item)
}

describe('a card', () => {
  it('2.13a, 2.13b shows name, privacy, owner, time of creation, listeners and a Join Room button', async () => {
    const created_at = Date.now() - 2 * 3_600_000
    answerCalls({
      'GET /api/rooms': () => ({
        rooms: [
          makeRoom({ name: 'Kitchen Radio', listeners: 3, created_at }),
          makeRoom({ id: 'r2', name: 'Attic', is_public: false, owner: { username: '', avatar_url: null } }),
        ],
      }),
    })
    await renderApp({ path: '/' })
    const kitchen = await card('Kitchen Radio')
    const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(names).toEqual(['Kitchen Radio', 'Attic'])
    expect(kitchen.getByText('Public room')).toBeDefined()
    expect(kitchen.getByText(/^ann/)).toBeDefined()
    expect(kitchen.getByText('2 hours ago')).toBeDefined()
    expect(kitchen.getByText('3 listeners')).toBeDefined()
    expect(kitchen.getByRole('button', { name: /^Join Room/ }).textContent).toBe('Join Room')
    const attic = await card('Attic')
    expect(attic.getByText('Private room')).toBeDefined()
    expect(attic.getByText(/^Unknown/)).toBeDefined()
  })

  it('2.13c shows a badge for each source that works', async () => {
    answerCalls({ 'GET /api/rooms': () => ({ rooms: [makeRoom()] }) })
    await renderApp({ path: '/' })
    const kitchen = await card('Kitchen Radio')
    await kitchen.findByText('Spotify')
    expect(kitchen.getByText('Library')).toBeDefined()
    expect(kitchen.queryByText('YouTube')).toBeNull()
  })

  it('shows the current track', async () => {
    const currentTrack = makeTrack({ title: 'Undertow', artist: 'Kestrel' })
    const rooms = [makeRoom({ currentTrack, current_track_id: currentTrack.id, is_playing: true })]
    answerCalls({ 'GET /api/rooms': () => ({ rooms }) })
    await renderApp({ path: '/' })
    const kitchen = await card('Kitchen Radio')
    expect(kitchen.getByText('Undertow')).toBeDefined()
    expect(kitchen.getByText('Playing now')).toBeDefined()
  })
})

/** Opens the page where the list of rooms fails, until the server is up again. */
async function openFailing(isSignedIn = false) {
  const server = { isDown: true }
  answerCalls({
    'GET /api/rooms': () => {
      if (server.isDown) throw new AppError('internal')
      return { rooms: [makeRoom()] }
    },
  })
  await renderApp({ path: '/', isSignedIn })
  await screen.findByText('Failed to load rooms. Please try again later.')
  return server
}

describe('the list', () => {
  it('2.14a, 2.14b shows 6 skeleton cards while it loads, and says when it is empty', async () => {
    let answer: (rooms: []) => void = () => undefined
    answerCalls({
      'GET /api/rooms': async () => ({ rooms: await new Promise<[]>((resolve) => (answer = resolve)) }),
    })
    const { container } = await renderApp({ path: '/' })
    await waitFor(() => expect(container.querySelectorAll('[data-skeleton=room]')).toHaveLength(6))
    act(() => answer([]))
    await screen.findByText('No rooms available')
    expect(screen.getByText('Create a new room to get started')).toBeDefined()
    expect(container.querySelectorAll('[data-skeleton=room]')).toHaveLength(0)
  })

  it('2.14c, 8.2a says that it could not be loaded, and Refresh loads it', async () => {
    const server = await openFailing()
    await screen.findByText('Could not load the available rooms. Please try again.')
    expect(screen.getAllByText('Error loading rooms').length).toBeGreaterThan(0)
    server.isDown = false
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await card('Kitchen Radio')
  })

  it('2.14c where the own rooms fail, too, it says so once, and one Refresh loads both', async () => {
    const server = await openFailing(true)
    const refresh = await screen.findByRole('button', { name: 'Refresh' })
    expect(screen.queryByRole('region', { name: 'Your rooms' })).toBeNull()
    server.isDown = false
    fireEvent.click(refresh)
    await screen.findByRole('region', { name: 'Your rooms' })
    await waitFor(() => expect(screen.queryByText(/^Failed to load rooms/)).toBeNull())
  })

  it('8.2a says nothing of a failure that is over when the page is shown again', async () => {
    const server = await openFailing()
    await screen.findByText(/^Could not load/)
    fireEvent.click(await screen.findByLabelText('Close'))
    await waitFor(() => expect(screen.queryByText(/^Could not load/)).toBeNull())
    server.isDown = false
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await card('Kitchen Radio')
    fireEvent.click(screen.getByRole('link', { name: 'Explore Rooms' }))
    await screen.findByRole('heading', { name: 'Explore Rooms', level: 1 })
    fireEvent.click(screen.getByRole('link', { name: 'Earshot' }))
    await card('Kitchen Radio')
    expect(screen.queryByText(/^Could not load/)).toBeNull()
  })

  it('2.12 the search box takes no more than a room name has', async () => {
    answerCalls({ 'GET /api/rooms': () => ({ rooms: [makeRoom()] }) })
    await renderApp({ path: '/' })
    await card('Kitchen Radio')
    expect(screen.getByPlaceholderText<HTMLInputElement>('Search rooms...').maxLength).toBe(80)
  })

  it('2.12 the search box filters the list', async () => {
    const rooms = [makeRoom(), makeRoom({ id: 'r2', name: 'Attic' })]
    answerCalls({ 'GET /api/rooms': () => ({ rooms }) })
    await renderApp({ path: '/' })
    await card('Attic')
    fireEvent.change(screen.getByPlaceholderText('Search rooms...'), { target: { value: 'KITCHEN' } })
    expect(screen.queryByRole('heading', { name: 'Attic' })).toBeNull()
    await card('Kitchen Radio')
  })

  it('2.14b a search without a match says so, as well', async () => {
    answerCalls({ 'GET /api/rooms': () => ({ rooms: [] }) })
    await renderApp({ path: '/' })
    fireEvent.change(screen.getByPlaceholderText('Search rooms...'), { target: { value: 'Cellar' } })
    await screen.findByText('No rooms match “Cellar”')
    expect(screen.getByText('No rooms available')).toBeDefined()
    expect(screen.getByText('Create a new room to get started')).toBeDefined()
  })

  it('2.15, 9.3 reloads every 30 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let loads = 0
    answerCalls({ 'GET /api/rooms': () => ({ rooms: [makeRoom({ listeners: ++loads })] }) })
    await renderApp({ path: '/' })
    await screen.findByText('1 listener')
    await act(() => vi.advanceTimersByTimeAsync(25_000))
    expect(screen.queryByText('2 listeners')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(await screen.findByText('2 listeners')).toBeDefined()
  })
})

it('17.89 the own rooms move no others: until they are known, six skeletons stand for all', async () => {
  let answer: (rooms: Room[]) => void = () => undefined
  answerCalls({
    'GET /api/rooms': async ({ query }) => {
      if (query.get('scope') !== 'own') return { rooms: [makeRoom({ id: 'r2', name: 'Attic' })] }
      return { rooms: await new Promise<Room[]>((resolve) => (answer = resolve)) }
    },
  })
  const { container } = await renderApp({ path: '/', isSignedIn: true })
  await waitFor(() => expect(container.querySelectorAll('[data-skeleton=room]')).toHaveLength(6))
  expect(screen.queryByRole('heading', { name: 'Available Rooms' })).toBeNull()
  act(() => answer([makeRoom()]))
  await screen.findByRole('heading', { name: 'Your rooms' })
  expect(screen.getByRole('heading', { name: 'Available Rooms' })).toBeDefined()
  await card('Attic')
})

it('2.16a joining while signed out warns and goes to login', async () => {
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [makeRoom()] }) })
  const { pathname, location } = await renderApp({ path: '/' })
  fireEvent.click((await card('Kitchen Radio')).getByRole('button', { name: /^Join Room/ }))
  await screen.findByText('Please log in to join a room')
  expect(screen.getByText('Authentication required')).toBeDefined()
  await waitFor(() => expect(pathname()).toBe('/login'))
  await waitFor(() => expect(location()?.state).toEqual({ from: '/room/r1' }))
})

it('2.16c joining while signed in goes to the room', async () => {
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [makeRoom()] }) })
  const { pathname } = await renderApp({ path: '/', isSignedIn: true })
  fireEvent.click((await card('Kitchen Radio')).getByRole('button', { name: /^Join Room/ }))
  await waitFor(() => expect(pathname()).toBe('/room/r1'))
})

it('17.88 lists an own room once, and finds it in a search', async () => {
  const own = makeRoom({ id: 'own', name: 'My Kitchen' })
  const other = makeRoom({ id: 'other', name: 'Their Attic' })
  answerCalls({
    'GET /api/rooms': ({ query }) => ({ rooms: query.get('scope') === 'own' ? [own] : [other, own] }),
  })
  await renderApp({ path: '/', isSignedIn: true })
  await screen.findByRole('heading', { name: 'Their Attic' })
  await screen.findByRole('region', { name: 'Your rooms' })
  const available = screen.getByRole('region', { name: 'Available Rooms' })
  await waitFor(() => expect(screen.getAllByRole('heading', { name: 'My Kitchen' })).toHaveLength(1))
  expect(within(available).queryByRole('heading', { name: 'My Kitchen' })).toBeNull()
  fireEvent.change(screen.getByLabelText('Search rooms'), { target: { value: 'kitchen' } })
  expect(await within(available).findByRole('heading', { name: 'My Kitchen' })).toBeDefined()
})

it('17.396 the owner of many rooms finds them all on the home page, by a button', async () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `Room ${from + index}`)
  const pages = new Map([
    [null, { names: names(0, 6), nextCursor: 'six' }],
    ['six', { names: names(6, 9), nextCursor: null }],
  ])
  let isDown = true
  answerCalls({
    'GET /api/rooms': ({ query }) => {
      if (query.get('scope') !== 'own') return { rooms: [makeRoom({ id: 'other', name: 'Attic' })] }
      const cursor = query.get('cursor')
      if (cursor !== null && isDown) throw new AppError('internal')
      const page = pages.get(cursor)
      const rooms = (page?.names ?? []).map((name) => makeRoom({ id: name, name }))
      return { rooms, nextCursor: page?.nextCursor ?? null }
    },
  })
  await renderApp({ path: '/', isSignedIn: true })
  const own = within(await screen.findByRole('region', { name: 'Your rooms' }))
  const shown = () => own.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  await waitFor(() => expect(shown()).toEqual(names(0, 6)))
  fireEvent.click(own.getByRole('button', { name: 'Show more rooms' }))
  await screen.findByText(/^Could not load/)
  expect(shown()).toEqual(names(0, 6))
  isDown = false
  fireEvent.click(own.getByRole('button', { name: 'Show more rooms' }))
  await waitFor(() => expect(shown()).toEqual(names(0, 9)))
  expect(own.queryByRole('button', { name: 'Show more rooms' })).toBeNull()
  await card('Attic')
})
