import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { sessionStore } from '../../testing/kept-session.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeSession } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [] }), 'GET /api/sources': () => ({ sources: [] }) }),
)

const refetchSession = () => sessionStore?.get().refetch()

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
