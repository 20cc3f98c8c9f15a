import { AppError } from '@earshot/core/protocol/errors'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SessionProvider } from '../../api/session.tsx'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { keepSession, sessionStore } from '../../testing/kept-session.ts'
import { makeConfig, makeProfile, makeSession, makeSources } from '../../testing/samples.ts'
import { NoticesOnDemand } from '../../ui/notices/notices-on-demand.tsx'
import { LoginHero } from './login-hero.tsx'

const loadNotices = async () => (await import('../../ui/notices/notices.tsx')).Notices

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

it.each([
  ['Sign In', 'in'],
  ['Sign Up', 'up'],
] as const)('17.387 %s says that the browser refuses the cookie of the session', async (tab, way) => {
  answerAuth({
    [`POST /api/auth/sign-${way}/email`]: () => Response.json({ token: 't', user: makeSession().user }),
  })
  await renderApp({ path: '/login' })
  await submit(tab, 'ann@example.org', 'correct horse')
  const fields = await form()
  expect(await fields.findByText(/^Your browser refused the cookie/)).toBeDefined()
  expect(screen.queryByText('Registration successful')).toBeNull()
  expect(fields.getByRole('button', { name: tab })).toBeDefined()
})

it('2.30b the Google button only says that it is not there yet', async () => {
  await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('button', { name: 'Google' }))
  expect(await screen.findByText('This feature is not implemented yet')).toBeDefined()
})

describe('Google', () => {
  const config = makeConfig({ googleSignIn: true })
  const click = async () => fireEvent.click(await screen.findByRole('button', { name: 'Google' }))

  it('2.30e signs in where it is configured, and returns to where the user came from', async () => {
    const asked: unknown[] = []
    answerCalls({ 'GET /api/config': () => config })
    answerAuth({
      'POST /api/auth/sign-in/social': ({ body }) => {
        asked.push(body)
        return Response.json({ url: '#google', redirect: true })
      },
    })
    onTestFinished(() => void (window.location.hash = ''))
    await renderApp({ path: '/login', state: { from: '/create-room' } })
    await click()
    await waitFor(() => expect(window.location.hash).toBe('#google'))
    expect(asked[0]).toMatchObject({
      provider: 'google',
      callbackURL: '/create-room',
      errorCallbackURL: '/login',
    })
    expect(screen.queryByText('This feature is not implemented yet')).toBeNull()
  })

  it('2.30e says when it could not start, or came back with an error', async () => {
    answerCalls({ 'GET /api/config': () => config })
    answerAuth({ 'POST /api/auth/sign-in/social': () => new Response(null, { status: 500 }) })
    const { location } = await renderApp({ path: '/login?error=access_denied' })
    await screen.findByText('Login failed')
    await waitFor(() => expect(location()?.search).toBe(''))
    await click()
    await screen.findAllByText('An error occurred during login')
  })
})

it('16.191 says that the address has a password, where Google does not open its account', async () => {
  await renderApp({ path: '/login?error=account_not_linked' })
  await screen.findByText('This address already has a password here: sign in with it.')
  expect(screen.queryByText('An error occurred during login')).toBeNull()
})

it('16.187 says that the link of a change of email needs a session of its account', async () => {
  const { location } = await renderApp({ path: '/login?error=sign_in_first' })
  await screen.findByText(/^Sign in to the account whose email you are changing, then open the link/)
  expect(screen.queryByText('Login failed')).toBeNull()
  await waitFor(() => expect(location()?.search).toBe(''))
})

describe('the buttons of the hero', () => {
  const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
  beforeEach(() => {
    const sources = makeSources({ spotify: true, youtube: true })
    answerCalls({ 'GET /api/sources': () => ({ sources }) })
  })

  it.each([
    ['Connect Spotify', 'Failed to connect Spotify', 'You must be logged in to connect to Spotify'],
    ['Connect YouTube', 'Failed to connect YouTube Music', 'You must be logged in to connect to YouTube'],
  ])('2.30d, 8.1c, 8.12a, 8.12b %s needs a session', async (button, title, text) => {
    await renderApp({ path: '/login' })
    await screen.findByRole('link', { name: 'Home' })
    await click(button)
    await screen.findByText(title)
    expect(screen.getByText(text)).toBeDefined()
  })

  it('15.9, 17.66 those of a provider that is not set up are not offered', async () => {
    answerCalls({ 'GET /api/sources': () => ({ sources: makeSources() }) })
    await renderApp({ path: '/login' })
    await screen.findByRole('link', { name: 'Home' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Connect Spotify' })).toBeNull())
    expect(screen.queryByText(/SPOTIFY_CLIENT_ID/)).toBeNull()
  })
})

describe('the hero before the session is known', () => {
  const open = async () => {
    answerAuth({ 'GET /api/auth/get-session': () => new Response(null, { status: 500 }) })
    keepSession()
    await sessionStore?.get().refetch()
    render(
      <QueryClientProvider client={new QueryClient()}>
        <SessionProvider>
          <LoginHero />
          <NoticesOnDemand load={loadNotices} />
        </SessionProvider>
      </QueryClientProvider>,
    )
  }

  it('2.30d, 8.12a, 8.12b connects, or says why it failed', async () => {
    const sources = makeSources({ spotify: true, youtube: true })
    answerCalls({
      'GET /api/sources': () => ({ sources }),
      'POST /api/spotify/authorize': () => {
        throw new AppError('source_unavailable', 'Spotify is not set up')
      },
      'POST /api/youtube/connect': () => ({ result: { success: true, results: [] } }),
    })
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'Connect Spotify' }))
    await screen.findByText('Spotify is not set up')
    fireEvent.click(screen.getByRole('button', { name: 'Connect YouTube' }))
    await screen.findByText('YouTube Music Connected')
    answerCalls({
      'POST /api/youtube/connect': () => ({
        result: { success: false, error: 'Invalid API key', status: 400, details: null },
      }),
    })
    fireEvent.click(screen.getByRole('button', { name: 'Connect YouTube' }))
    await screen.findByText('Failed to connect YouTube Music')
    expect(screen.getByText('Invalid API key')).toBeDefined()
  })
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
    // The notice stays for 3 s; the code of the next page may take longer on a busy machine.
    await screen.findByText('Login successful')
    expect(screen.getByText('Welcome, ann')).toBeDefined()
    await waitFor(() => expect(pathname()).toBe('/create-room'))
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

  it('2.30a both tabs share the error', async () => {
    await renderApp({ path: '/login' })
    await submit('Sign In', '', '')
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    const fields = await form()
    expect(fields.getByRole('button', { name: 'Sign Up' })).toBeDefined()
    expect(fields.getByRole('alert').textContent).toBe('Email and password are required')
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
    answerCalls({ 'GET /api/config': () => makeConfig({ mailConfirmation: true }) })
    await renderApp({ path: '/login' })
    await submit('Sign Up', 'ann@example.org', 'secret-1')
    await screen.findByText('Registration successful')
    expect(screen.getByText('Please check your email to confirm your account')).toBeDefined()
    expect(asked[0]?.body).toMatchObject({ email: 'ann@example.org', password: 'secret-1', name: 'ann' })
    expect(asked[0]?.body).not.toHaveProperty('username')
  })

  it('8.9c asks for no mail that the server does not send', async () => {
    acceptAt('POST /api/auth/sign-up/email')
    await renderApp({ path: '/login' })
    await submit('Sign Up', 'ann@example.org', 'secret-1')
    await screen.findByText('Registration successful')
    expect(screen.queryByText('Please check your email to confirm your account')).toBeNull()
  })

  it('16.27 sends the name that others are to see, if one is given', async () => {
    const asked = acceptAt('POST /api/auth/sign-up/email')
    await renderApp({ path: '/login' })
    await screen.findByText('Join the community!')
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' Anna Lee ' } })
    await submit('Sign Up', 'ann@example.org', 'secret-1')
    await screen.findByText('Registration successful')
    expect(asked[0]?.body).toMatchObject({ name: 'Anna Lee', username: 'Anna Lee' })
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
