import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { forgetReturnPath, keepReturnPath, readReturnPath } from '../../api/kept-return-path.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeConfig, makeProfile, makeSources } from '../../testing/samples.ts'

const room = '/room/r1#invite=secret'

beforeEach(() => {
  answerCalls({
    'GET /api/config': () => makeConfig({ mailConfirmation: true }),
    'GET /api/sources': () => ({ sources: makeSources() }),
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
  })
  onTestFinished(forgetReturnPath)
})

async function send(tab: 'Sign In' | 'Sign Up') {
  fireEvent.click(await screen.findByRole('tab', { name: tab }))
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'ann@example.org' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-1' } })
  await waitFor(() => fireEvent.click(screen.getByRole('button', { name: tab })))
}

it('16.179 where to go on is kept while an account waits for its confirmation', async () => {
  answerAuth({ 'POST /api/auth/sign-up/email': () => Response.json({ token: null, user: {} }) })
  await renderApp({ path: '/login', state: { from: room } })
  await send('Sign Up')
  await screen.findByText('Registration successful')
  expect(readReturnPath()).toBe(room)
})

it('16.179 a sign-in that waits for the confirmation says which link to open', async () => {
  const refusal = { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' }
  answerAuth({ 'POST /api/auth/sign-in/email': () => Response.json(refusal, { status: 403 }) })
  await renderApp({ path: '/login', state: { from: room } })
  await send('Sign In')
  expect(await screen.findAllByText(/is not confirmed yet. Open the link in our latest mail/)).not.toEqual([])
  expect(readReturnPath()).toBe(room)
})

it('16.179 a later sign-in from elsewhere keeps the room, and a day removes it', async () => {
  const refusal = { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' }
  answerAuth({ 'POST /api/auth/sign-in/email': () => Response.json(refusal, { status: 403 }) })
  keepReturnPath(room)
  await renderApp({ path: '/login' })
  await send('Sign In')
  expect(await screen.findAllByText(/is not confirmed yet/)).not.toEqual([])
  expect(readReturnPath()).toBe(room)
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(readReturnPath()).toBeNull()
  expect(Object.values(localStorage).join()).not.toContain('secret')
})

it('16.179 the link of the mail says that the account is confirmed, and leads on', async () => {
  keepReturnPath('/profile')
  const { pathname } = await renderApp({ path: '/login?confirmed=1', isSignedIn: true })
  await screen.findByText('Your account is confirmed')
  await screen.findByText('Welcome, ann')
  await waitFor(() => expect(pathname()).toBe('/profile'))
  expect(readReturnPath()).toBeNull()
})

it('16.309 where another account is signed in, its user is not welcomed as the one that was confirmed', async () => {
  const { pathname } = await renderApp({ path: '/login?confirmed=other', isSignedIn: true })
  await screen.findByText('Your account is confirmed')
  await screen.findByText(/you are signed in as ann\. .*sign out first/)
  expect(screen.queryByText(/^Welcome/)).toBeNull()
  await waitFor(() => expect(pathname()).toBe('/'))
})

it('16.179 a link that is opened again says to sign in', async () => {
  const { location } = await renderApp({ path: '/login?confirmed=1' })
  await screen.findByText('Your account is confirmed')
  await screen.findByText('You can sign in now.')
  expect(location()?.search).toBe('')
})

it('16.179 a link that has expired says so, and keeps where to go on', async () => {
  keepReturnPath(room)
  const { location } = await renderApp({ path: '/login?confirmed=1&error=TOKEN_EXPIRED' })
  await screen.findByText('This link does not work any more')
  await screen.findByText(/It has expired or is damaged/)
  expect(screen.queryByText('Your account is confirmed')).toBeNull()
  expect(location()?.search).toBe('')
  expect(readReturnPath()).toBe(room)
})

it('16.179 the link to a new address says what came of it', async () => {
  const changed = await renderApp({ path: '/profile?changed=email', isSignedIn: true })
  await screen.findByText('Your email address has been changed')
  expect(changed.location()?.search).toBe('')
  changed.unmount()
  const expired = '/profile?changed=email&error=TOKEN_EXPIRED'
  const failed = await renderApp({ path: expired, isSignedIn: true })
  await screen.findByText('Your email address was not changed')
  expect(failed.location()?.search).toBe('')
})
