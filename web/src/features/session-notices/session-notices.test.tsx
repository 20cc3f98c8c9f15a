import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { signInWithGoogle } from '../../api/account.ts'
import { refusedSession } from '../../api/refused-session.ts'
import { signOut } from '../../api/sign-in.ts'
import { signInElsewhere } from '../../api/sign-in-elsewhere.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { sessionStore } from '../../testing/kept-session.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeSession } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [] }), 'GET /api/sources': () => ({ sources: [] }) }),
)

const refetchSession = () => sessionStore?.get().refetch()

/** Signs in, and ends the session without telling the page. */
async function signInAndEnd(): Promise<void> {
  await renderApp({ path: '/' })
  await screen.findByRole('link', { name: 'Sign In' })
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  await refetchSession()
  await screen.findByRole('button', { name: 'Account of ann' })
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
}

it('4.1b, 2.40 follows a sign-in in another tab and shows a welcome', async () => {
  await renderApp({ path: '/' })
  await screen.findByRole('link', { name: 'Sign In' })
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  window.dispatchEvent(
    new StorageEvent('storage', {
      key: 'better-auth.message',
      newValue: JSON.stringify({ event: 'session', data: { trigger: 'signin' } }),
    }),
  )
  expect(await screen.findByText('Welcome, ann')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Account of ann' })).toBeDefined()
})

it('2.40 shows a welcome after a sign-in for which the page was left', async () => {
  answerAuth({ 'POST /api/auth/sign-in/social': () => Response.json({ redirect: false, url: '' }) })
  await signInWithGoogle('/')
  await renderApp({ path: '/', isSignedIn: true })
  expect(await screen.findByText('Welcome, ann')).toBeDefined()
  expect(signInElsewhere.isUnderWay()).toBe(false)
})

it('2.40, 4.1b a sign-out in another tab is no ended session', async () => {
  await signInAndEnd()
  const newValue = JSON.stringify({ event: 'session', data: { trigger: 'signout' } })
  window.dispatchEvent(new StorageEvent('storage', { key: 'better-auth.message', newValue }))
  await screen.findByText('You have been signed out successfully')
  expect(refusedSession.getState().isRefused).toBe(false)
})

it('17.187 a session that a reading finds ended elsewhere says so; one that this page ended is signed out', async () => {
  await signInAndEnd()
  await refetchSession()
  await screen.findByText('Your session has ended')
  expect(refusedSession.getState().isRefused).toBe(true)

  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  await refetchSession()
  await screen.findByRole('button', { name: 'Account of ann' })
  expect(refusedSession.getState().isRefused).toBe(false)
  answerAuth({ 'POST /api/auth/sign-out': () => new Response(null, { status: 503 }) })
  expect(await signOut()).not.toBeNull()
  expect(refusedSession.getState().isOver).toBe(false)
  answerAuth({
    'GET /api/auth/get-session': () => Response.json(null),
    'POST /api/auth/sign-out': () => Response.json({ success: true }),
  })
  await signOut()
  await screen.findByText('You have been signed out successfully')
  expect(refusedSession.getState().isRefused).toBe(false)
})

it('8.14 reports an unreadable session', async () => {
  await renderApp({ path: '/' })
  answerAuth({ 'GET /api/auth/get-session': () => new Response(null, { status: 500 }) })
  await refetchSession()
  await screen.findByText('Authentication Error')
  expect(
    screen.getByText(
      'There was a problem connecting to the authentication service. Some features may be limited.',
    ),
  ).toBeDefined()
})
