import type { Door } from '@earshot/core/protocol/door-calls'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import type { RoomState } from '../../../engine/state/room-state.ts'
import { answerAuth, answerCalls, type Asked } from '../../../testing/contract-network.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeDoor, makeSession } from '../../../testing/samples.ts'
import { RoomScreen } from '../room-page.tsx'
import { useRoomState } from '../use-room.ts'

const privately = { isPublic: false, faces: [], track: null, isPlaying: false, asksPassword: true }

/** Opens the room's address as a visitor without a session. */
async function openDoor(door: Door, hash = '') {
  window.location.hash = hash
  onTestFinished(() => {
    window.location.hash = ''
    localStorage.clear()
  })
  answerCalls({
    'GET /api/rooms/:roomId/door': () => ({ door }),
    'POST /api/rooms/:roomId/door': () => ({ door }),
  })
  return renderApp({ path: `/room/r1${hash}` })
}

/** Keeps a wait from running out while it is read. */
function stopClock() {
  vi.useFakeTimers({ now: 1_795_000_000_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

const guestSession = () => {
  const { session, user } = makeSession()
  return { session, user: { ...user, name: 'Gus', isAnonymous: true } }
}

describe('the door', () => {
  it('17.435 of a private room that keeps its name says that it is private, and asks the owner for a link', async () => {
    const names = { name: '', owner: { username: '', avatar: null }, listeners: 0 }
    await openDoor(makeDoor({ ...privately, ...names, guests: 'invited', guestsMayCome: false }))
    expect(await screen.findByRole('heading', { name: 'This room is private' })).toBeDefined()
    expect(screen.getByText(/or ask the owner for an invite link/)).toBeDefined()
    expect(document.title).toBe('Earshot')
  })

  it('17.18a shows who plays what, who is there, and needs a name and one click, which enters the room', async () => {
    const asked: unknown[] = []
    answerAuth({
      'POST /api/auth/sign-in/anonymous': ({ body }: Asked) => {
        asked.push(body)
        answerAuth({ 'GET /api/auth/get-session': () => Response.json(guestSession()) })
        return Response.json({ token: 't', user: guestSession().user })
      },
    })
    const { pathname } = await openDoor(makeDoor())
    expect(
      await screen.findByRole('heading', { name: 'ann is playing Neon Harbour in Friday kitchen' }),
    ).toBeDefined()
    expect(screen.getByText('2 people are here')).toBeDefined()
    await waitFor(() => expect(pathname()).toBe('/room/r1'))
    fireEvent.change(screen.getByLabelText('Your name'), { target: { value: ' Gus ' } })
    fireEvent.click(screen.getByRole('button', { name: 'Listen' }))
    await waitFor(() => expect(currentVisit.getState()).toMatchObject({ roomId: 'r1', userId: 'u1' }))
    expect(asked).toEqual([{ name: 'Gus' }])
    expect(localStorage.getItem('guestName:v1')).toBe('Gus')
    expect(screen.queryByText(/^Welcome/)).toBeNull()
  })

  it('17.18a refuses an invisible name without a call, and keeps the name of the last visit', async () => {
    localStorage.setItem('guestName:v1', 'Gus')
    await openDoor(makeDoor())
    const field = await screen.findByLabelText<HTMLInputElement>('Your name')
    expect(field.value).toBe('Gus')
    fireEvent.change(field, { target: { value: '\u200b ' } })
    fireEvent.click(screen.getByRole('button', { name: 'Listen' }))
    expect(await screen.findByText('Enter a name first.')).toBeDefined()
    expect(document.activeElement).toBe(field)
  })

  it('17.387 says that the browser refuses the cookie which a guest needs', async () => {
    answerAuth({
      'POST /api/auth/sign-in/anonymous': () => Response.json({ token: 't', user: guestSession().user }),
    })
    await openDoor(makeDoor())
    fireEvent.change(await screen.findByLabelText('Your name'), { target: { value: 'Gus' } })
    fireEvent.click(screen.getByRole('button', { name: 'Listen' }))
    expect(await screen.findByText(/^Your browser refused the cookie/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Listen' })).toBeDefined()
  })

  it('17.355 says what is wrong with a name that the server refuses', async () => {
    const failure = new AppError('invalid_input', validationMessages.nameMixesAlphabets)
    answerAuth({
      'POST /api/auth/sign-in/anonymous': () =>
        Response.json({ message: failure.message, error: toWireError(failure) }, { status: 400 }),
    })
    await openDoor(makeDoor())
    fireEvent.change(await screen.findByLabelText('Your name'), { target: { value: 'Gus\u0430' } })
    fireEvent.click(screen.getByRole('button', { name: 'Listen' }))
    expect(await screen.findByText('Use one alphabet in each word of a name')).toBeDefined()
  })

  it('17.18b, 17.348 says how long to wait after too many guests, and keeps the name', async () => {
    stopClock()
    const failure = new AppError('rate_limited', undefined, { retryAfterMs: 20_000 })
    answerAuth({
      'POST /api/auth/sign-in/anonymous': () =>
        Response.json({ message: 'x', error: toWireError(failure) }, { status: 429 }),
    })
    await openDoor(makeDoor())
    const field = await screen.findByLabelText<HTMLInputElement>('Your name')
    fireEvent.change(field, { target: { value: 'Gus' } })
    fireEvent.click(screen.getByRole('button', { name: 'Listen' }))
    expect(
      await screen.findByText(
        'Many guests are joining from this network. Try again in 20 seconds, or sign in.',
      ),
    ).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Listen' }).disabled).toBe(true)
    expect(field.value).toBe('Gus')
  })

  it.each([
    [{ guests: 'nobody' }, 'Sign in to listen: ann admits only people with an account.'],
    [{ guests: 'invited' }, 'Sign in to listen, or ask ann for an invite link: it needs no account.'],
  ] as const)(
    '17.18c says why guests may not come, with the ways to an account: %j',
    async (part, reason) => {
      const { location } = await openDoor(makeDoor({ ...part, guestsMayCome: false }))
      expect(await screen.findByText(reason)).toBeDefined()
      expect(screen.queryByLabelText('Your name')).toBeNull()
      fireEvent.click(screen.getByRole('link', { name: 'Create account' }))
      const tab = await screen.findByRole('tab', { name: 'Sign Up' })
      expect(tab.getAttribute('aria-selected')).toBe('true')
      const state = { from: '/room/r1', message: 'Please log in to join a room', tab: 'sign-up' }
      await waitFor(() => expect(location()?.state).toEqual(state))
    },
  )

  it('17.18c, 6.4d keeps the invite on the way to login, and says when it has ended', async () => {
    const ended = makeDoor({ guests: 'invited', guestsMayCome: false })
    const { location } = await openDoor(ended, '#invite=token')
    expect(
      await screen.findByText('This invite link no longer works. Ask ann for a new one, or sign in.'),
    ).toBeDefined()
    fireEvent.click(screen.getByRole('link', { name: 'Sign in' }))
    expect(await screen.findByText('Join the community!')).toBeDefined()
    await waitFor(() => expect(location()?.state).toMatchObject({ from: '/room/r1#invite=token' }))
  })

  it("17.18c the top bar's Sign In keeps the invite, too", async () => {
    const { location } = await openDoor(makeDoor({ isInvited: true }), '#invite=token')
    await screen.findByLabelText('Your name')
    fireEvent.click(screen.getByRole('link', { name: 'Sign In' }))
    await waitFor(() => expect(location()?.state).toMatchObject({ from: '/room/r1#invite=token' }))
  })

  it('17.18d names a private room and nothing in it, but for who is invited', async () => {
    const closed = makeDoor({ ...privately, guests: 'invited', guestsMayCome: false })
    const { unmount } = await openDoor(closed)
    expect(await screen.findByRole('heading', { name: 'Friday kitchen is private' })).toBeDefined()
    unmount()
    await openDoor(makeDoor({ isPublic: false, isInvited: true, isPlaying: false }), '#invite=token')
    expect(
      await screen.findByRole('heading', { name: 'Next with ann in Friday kitchen: Neon Harbour' }),
    ).toBeDefined()
  })

  it('17.451 names the owner also of a room that is paused, and calls only an owner who is there the one who plays', async () => {
    const { unmount } = await openDoor(makeDoor({ isPlaying: false, faces: [], listeners: 0 }))
    expect(
      await screen.findByRole('heading', { name: 'Next with ann in Friday kitchen: Neon Harbour' }),
    ).toBeDefined()
    unmount()
    await openDoor(makeDoor({ faces: [{ username: 'bob', avatar: null }] }))
    expect(
      await screen.findByRole('heading', {
        name: 'Neon Harbour is playing in Friday kitchen, hosted by ann',
      }),
    ).toBeDefined()
  })

  it('2.19a says Room not found only of a room that does not exist', async () => {
    answerCalls({
      'GET /api/rooms/:roomId/door': () => {
        throw new AppError('room_not_found')
      },
    })
    const first = await renderApp({ path: '/room/r2' })
    expect(await screen.findByRole('heading', { name: 'Room not found' })).toBeDefined()
    first.unmount()
    answerCalls({
      'GET /api/rooms/:roomId/door': () => {
        throw new AppError('invalid_input')
      },
    })
    await renderApp({ path: `/room/${'long'.repeat(20)}` })
    expect(await screen.findByRole('heading', { name: 'Room not found' })).toBeDefined()
    answerCalls({
      'GET /api/rooms/:roomId/door': () => {
        throw new AppError('internal')
      },
    })
    await renderApp({ path: '/room/r3' })
    expect(await screen.findByText('The room could not be loaded')).toBeDefined()
  })
})

/** Tests start in a joined room, whose screen they do not need. */
function BeforeJoining() {
  return useRoomState((state) => state.phase) === 'joined' ? <p>Joined</p> : <RoomScreen />
}

describe('the door of a private room', () => {
  async function renderRefused(hash = '') {
    window.location.hash = hash
    onTestFinished(() => void (window.location.hash = ''))
    const { change } = await renderInRoom(<BeforeJoining />)
    await screen.findByText('Joined')
    // Otherwise the connection, which fails here, would set the phase again.
    currentVisit.getState()?.leave()
    return (part: Partial<RoomState>) => act(() => change(part))
  }

  it('2.19b asks for the password; focus and input stay while it is checked', async () => {
    answerCalls({ 'GET /api/rooms/:roomId/door': () => ({ door: makeDoor(privately) }) })
    const setRoom = await renderRefused()
    setRoom({ phase: 'not_found', joinError: 'password_required' })
    expect(await screen.findByRole('heading', { name: 'Friday kitchen is private' })).toBeDefined()
    const field = screen.getByLabelText<HTMLInputElement>('Room Password')
    fireEvent.change(field, { target: { value: 'sesame' } })
    setRoom({ phase: 'loading', joinError: null })
    expect(screen.getByRole('button', { name: 'Checking' })).toBeDefined()
    expect(document.activeElement).toBe(field)
    setRoom({ phase: 'not_found', joinError: 'wrong_password' })
    expect(screen.getByText('Wrong password. Try again.')).toBeDefined()
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('sesame')
    stopClock()
    setRoom({ phase: 'not_found', joinError: 'rate_limited', joinRetryAtMs: Date.now() + 30_000 })
    expect(screen.getByText('Too many attempts. Try again in 30 seconds.')).toBeDefined()
    expect(screen.queryByText('Room not found')).toBeNull()
    setRoom({ phase: 'not_found', joinError: 'room_not_found' })
    expect(screen.getByText('Room not found')).toBeDefined()
  })

  it('17.18c, 6.4d tells people with an account, too, that an invite link has ended', async () => {
    answerCalls({ 'GET /api/rooms/:roomId/door': () => ({ door: makeDoor(privately) }) })
    const setRoom = await renderRefused('#invite=token')
    setRoom({ phase: 'not_found', joinError: 'password_required' })
    expect(await screen.findByText(/^This invite link no longer works\. Enter the password/)).toBeDefined()
  })

  it('17.18c a guest whom the room refuses is told why', async () => {
    const door = makeDoor({ guests: 'invited', guestsMayCome: false })
    answerCalls({ 'GET /api/rooms/:roomId/door': () => ({ door }) })
    const setRoom = await renderRefused()
    setRoom({ phase: 'not_found', joinError: 'guests_not_admitted' })
    expect(await screen.findByText(/^Sign in to listen, or ask ann/)).toBeDefined()
  })

  it('17.347 a new guest from the network of a banned one is told to sign in, and not that they are banned', async () => {
    const door = makeDoor({ guests: 'everyone', guestsMayCome: true })
    answerCalls({ 'GET /api/rooms/:roomId/door': () => ({ door }) })
    const setRoom = await renderRefused()
    setRoom({ phase: 'not_found', joinError: 'network_banned' })
    await screen.findByText('Sign in to listen: new guests from this network cannot join for now.')
    screen.getByRole('link', { name: 'Sign in' })
    expect(screen.queryByText(/banned/)).toBeNull()
  })
})
