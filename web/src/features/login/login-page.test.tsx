import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeProfile, makeSession, makeSources } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({
    'GET /api/sources': () => ({ sources: makeSources() }),
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
  }),
)

const form = async () => within((await screen.findByLabelText('Email')).closest('form') ?? document.body)

async function submit(tab: 'Sign In' | 'Sign Up', email: string, password: string) {
  await screen.findByText('Join the community!')
  fireEvent.click(screen.getByRole('tab', { name: tab }))
  const fields = await form()
  fireEvent.change(fields.getByLabelText('Email'), { target: { value: email } })
  fireEvent.change(fields.getByLabelText('Password'), { target: { value: password } })
  fireEvent.click((await form()).getByRole('button', { name: tab }))
}

/** The server takes it, and from then on there is a session. */
function acceptAt(address: 'POST /api/auth/sign-in/email' | 'POST /api/auth/sign-up/email') {
  const asked: Asked[] = []
  answerAuth({
    [address]: (call: Asked) => {
      asked.push(call)
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
      return Response.json({ token: 't', user: makeSession().user })
    },
  })
  return asked
}

it('2.30a has the hero, the card and both tabs', async () => {
  await renderApp({ path: '/login' })
  await screen.findByRole('heading', { name: 'Music is better together' })
  expect(screen.getByRole('heading', { name: 'Join the community!' })).toBeDefined()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Sign In', 'Sign Up'])
})

it('2.30b the Google button only says that it is not there yet', async () => {
  await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('button', { name: 'Google' }))
  expect(await screen.findByText('This feature is not implemented yet')).toBeDefined()
})

describe('validation before the request', () => {
  it.each(['Sign In', 'Sign Up'] as const)('5.1a %s needs both fields', async (tab) => {
    await renderApp({ path: '/login' })
    await submit(tab, 'ann@example.org', '')
    expect(screen.getByRole('alert').textContent).toBe('Email and password are required')
    await submit(tab, '', 'secret-1')
    expect(screen.getByRole('alert').textContent).toBe('Email and password are required')
  })

  it('5.1b sign up needs 6 characters, sign in does not', async () => {
    const asked = acceptAt('POST /api/auth/sign-in/email')
    await renderApp({ path: '/login' })
    await submit('Sign Up', 'ann@example.org', '12345')
    expect(screen.getByRole('alert').textContent).toBe('Password must be at least 6 characters')
    await submit('Sign In', 'ann@example.org', '12345')
    await waitFor(() => expect(asked).toHaveLength(1))
  })
})

describe('signing in', () => {
  it('2.30c, 2.40, 8.9a goes back to where the user came from and welcomes', async () => {
    acceptAt('POST /api/auth/sign-in/email')
    const { pathname } = await renderApp({ path: '/login', state: { from: '/create-room' } })
    await submit('Sign In', 'ann@example.org', 'secret-1')
    await waitFor(() => expect(pathname()).toBe('/create-room'))
    await screen.findByText('Login successful')
    expect(screen.getByText('Welcome, ann')).toBeDefined()
  })

  it('2.30c goes home where it does not know better, or was told another site', async () => {
    acceptAt('POST /api/auth/sign-in/email')
    const { pathname } = await renderApp({ path: '/login', state: { from: '//evil.example/' } })
    await submit('Sign In', 'ann@example.org', 'secret-1')
    await waitFor(() => expect(pathname()).toBe('/'))
  })

  it("8.9a shows the server's message inline and in a notice", async () => {
    const refuse = () => Response.json({ message: 'Invalid email or password' }, { status: 401 })
    answerAuth({ 'POST /api/auth/sign-in/email': refuse })
    await renderApp({ path: '/login' })
    await submit('Sign In', 'ann@example.org', 'wrong')
    await screen.findByText('Login failed')
    expect(screen.getAllByText('Invalid email or password')).toHaveLength(2)
  })

  it('8.9a has words of its own where the server gave none', async () => {
    answerAuth({ 'POST /api/auth/sign-in/email': () => new Response(null, { status: 500 }) })
    await renderApp({ path: '/login' })
    await submit('Sign In', 'ann@example.org', 'secret-1')
    expect(await screen.findByText('Failed to sign in')).toBeDefined()
    expect(await screen.findByText('An error occurred during login')).toBeDefined()
  })
})

describe('signing up', () => {
  it('8.9c sends the part before the @ as the name, and says what comes next', async () => {
    const asked = acceptAt('POST /api/auth/sign-up/email')
    await renderApp({ path: '/login' })
    await submit('Sign Up', 'ann@example.org', 'secret-1')
    await screen.findByText('Registration successful')
    expect(screen.getByText('Please check your email to confirm your account')).toBeDefined()
    expect(asked[0]?.body).toMatchObject({ email: 'ann@example.org', password: 'secret-1', name: 'ann' })
  })

  it('8.9b says when it failed', async () => {
    answerAuth({ 'POST /api/auth/sign-up/email': () => new Response(null, { status: 500 }) })
    await renderApp({ path: '/login' })
    await submit('Sign Up', 'ann@example.org', 'secret-1')
    await screen.findByText('Failed to sign up')
    await screen.findByText('Registration failed')
    expect(screen.getByText('An error occurred during registration')).toBeDefined()
  })
})

it('2.30c a message that was passed in shows as a notice', async () => {
  await renderApp({ path: '/login', state: { from: '/room/r1', message: 'Please log in to join a room' } })
  await screen.findByText('Authentication Required')
  expect(screen.getByText('Please log in to join a room')).toBeDefined()
})
