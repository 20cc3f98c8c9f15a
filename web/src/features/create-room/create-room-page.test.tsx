import { AppError } from '@earshot/core/protocol/errors'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { keepSession, sessionStore } from '../../testing/kept-session.ts'
import { renderApp, renderRoutes } from '../../testing/render-app.tsx'
import { makeProfile, makeSession, makeSources } from '../../testing/samples.ts'

beforeEach(() => {
  sessionStorage.clear()
  answerCalls({
    'GET /api/sources': () => ({ sources: makeSources({ spotify: true }) }),
    'GET /api/profile': () => ({ profile: makeProfile({ preferred_source: 'spotify' }) }),
    'GET /api/rooms': () => ({ rooms: [] }),
  })
})

const open = () => renderApp({ path: '/create-room', isSignedIn: true })
const radio = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name })
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create Room' }))

it('2.16b, 5.2a signed out it warns and goes to login', async () => {
  const { pathname, location } = await renderApp({ path: '/create-room' })
  await screen.findByText('Please log in to create a room')
  expect(screen.getByText('Authentication required')).toBeDefined()
  await waitFor(() => expect(pathname()).toBe('/login'))
  await waitFor(() => expect(location()?.state).toEqual({ from: '/create-room' }))
})

it('17.13 a guest goes to login, which stays, and is offered to sign in', async () => {
  const { session, user } = makeSession()
  const guest = { session, user: { ...user, isAnonymous: true } }
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(guest) })
  keepSession()
  await sessionStore?.get().refetch()
  const { pathname } = renderRoutes({ path: '/create-room' })
  await waitFor(() => expect(pathname()).toBe('/login'))
  await screen.findByText('Join the community!')
  await waitFor(() => expect(pathname()).toBe('/login'))
  expect(screen.queryByText(/^Welcome/)).toBeNull()
})

describe('the form', () => {
  it('2.29a has its title, fields, choices and note', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Create a New Room' })
    expect(await screen.findByLabelText('Room Name')).toBe(
      screen.getByPlaceholderText('My Awesome Music Room'),
    )
    expect((await radio(/^Public ?Anyone can join$/)).checked).toBe(true)
    expect((await radio(/^Private ?Password protected$/)).checked).toBe(false)
    expect(screen.getByText(/creator, you are responsible/)).toBeDefined()
  })

  it('17.447 says how people without an account come in', async () => {
    await open()
    await screen.findByText('Without an account, people come in by your invite link only')
    fireEvent.click(await radio(/Private/))
    expect(screen.getByText(/^Without an account/)).toBeDefined()
  })

  it('2.29b only a private room has a password, which can be shown', async () => {
    await open()
    expect(screen.queryByLabelText('Room Password')).toBeNull()
    fireEvent.click(await radio(/^Private/))
    const field = await screen.findByLabelText<HTMLInputElement>('Room Password')
    expect(screen.getByText('Share this password with people you want to invite')).toBeDefined()
    expect(field.type).toBe('password')
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field.type).toBe('text')
    fireEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(field.type).toBe('password')
  })

  it("2.29c, 17.66 starts with the user's preference, and offers only sources that work", async () => {
    await open()
    await waitFor(async () => expect((await radio(/^Spotify/)).checked).toBe(true))
    expect((await radio(/^Library/)).disabled).toBe(false)
    expect(screen.queryByRole('radio', { name: /YouTube/ })).toBeNull()
    expect(screen.getByText('You can still use both sources, this just sets the default')).toBeDefined()
  })
})

describe('submitting', () => {
  it('5.2b asks for a name', async () => {
    await open()
    await type('Room Name', '   ')
    submit()
    await screen.findByText('Room name required')
    expect(screen.getAllByText('Please enter a name for your room').length).toBeGreaterThan(0)
  })

  it('5.2c asks for the password of a private room', async () => {
    await open()
    await type('Room Name', 'Attic')
    fireEvent.click(await radio(/^Private/))
    await type('Room Password', '  ')
    submit()
    await screen.findByText('Password required')
    expect(screen.getAllByText('Private rooms require a password').length).toBeGreaterThan(0)
  })

  it('2.29d, 5.2d says that it works, sends no password for a public room and goes there', async () => {
    const asked: Asked[] = []
    let finish: () => void = () => undefined
    answerCalls({
      'POST /api/rooms': async (call) => {
        asked.push(call)
        await new Promise<void>((resolve) => (finish = resolve))
        return { id: 'r7' }
      },
    })
    const { pathname } = await open()
    await type('Room Name', ' Attic ')
    fireEvent.click(await radio(/^Private/))
    await type('Room Password', 'knock')
    fireEvent.click(await radio(/^Public/))
    submit()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating Room' })
    expect(button.disabled).toBe(true)
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked[0]?.body).toMatchObject({ name: 'Attic', isPublic: true, password: null })
    finish()
    await waitFor(() => expect(pathname()).toBe('/room/r7'))
  })

  it('8.10 a failure is told, and the button works again', async () => {
    answerCalls({
      'POST /api/rooms': () => {
        throw new AppError('internal')
      },
    })
    await open()
    await type('Room Name', 'Attic')
    submit()
    await screen.findByText('Failed to create room. Please try again.')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create Room' }).disabled).toBe(false)
  })

  it('5.2a leads to the login where the session has ended meanwhile', async () => {
    answerCalls({
      'POST /api/rooms': () => {
        throw new AppError('unauthenticated')
      },
    })
    await open()
    await type('Room Name', 'Attic')
    answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
    submit()
    await screen.findByRole('tab', { name: 'Sign Up' })
    expect(screen.queryByText('Failed to create room. Please try again.')).toBeNull()
  })

  it('17.156 the name that was typed is there again once signed in, for the same user and until the room is created', async () => {
    answerCalls({ 'POST /api/rooms': () => Promise.reject(new AppError('unauthenticated')) })
    const first = await open()
    await type('Room Name', 'Attic')
    fireEvent.click(await radio(/^Private/))
    await type('Room Password', 'knock')
    answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
    submit()
    await screen.findByRole('tab', { name: 'Sign Up' })
    expect(sessionStorage.getItem('room-draft:v1')).toMatch(/Attic(?!.*knock)/)
    first.unmount()
    answerCalls({ 'POST /api/rooms': () => ({ id: 'r7' }) })
    const second = await open()
    expect(await screen.findByDisplayValue('Attic')).toBeDefined()
    expect((await radio(/^Private/)).checked).toBe(true)
    await type('Room Password', 'knock')
    submit()
    await waitFor(() => expect(second.pathname()).toBe('/room/r7'))
    second.unmount()
    await open()
    expect(await screen.findByLabelText('Room Name')).toHaveProperty('value', '')
  })

  it('17.480 the notices of attempts that failed go with the one that succeeds', async () => {
    answerCalls({ 'POST /api/rooms': () => Promise.reject(new AppError('internal')) })
    const { pathname } = await open()
    await type('Room Name', ' ')
    submit()
    await screen.findByText('Room name required')
    await type('Room Name', 'Attic')
    submit()
    await screen.findByText('Failed to create room. Please try again.')
    answerCalls({ 'POST /api/rooms': () => ({ id: 'r7' }) })
    submit()
    await waitFor(() => expect(pathname()).toBe('/room/r7'))
    // Not waited for: they would be over by themselves.
    expect(screen.queryByText(/^(Room name required|Failed to create room\. .*)$/)).toBeNull()
  })

  it('17.65 says what to do about too many rooms', async () => {
    answerCalls({
      'POST /api/rooms': () => {
        throw new AppError('too_many_rooms')
      },
    })
    await open()
    await type('Room Name', 'Attic')
    submit()
    expect(await screen.findByText('You have too many rooms. Delete one first.')).toBeDefined()
  })
})
