import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { keepSession, sessionStore } from '../../testing/kept-session.ts'
import { renderApp, renderRoutes } from '../../testing/render-app.tsx'
import { makeSpotify } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/sources': () => ({ sources: [] }),
  }),
)

const returned = '/callback?code=secret-code&state=secret-state'
const open = (path = returned) => renderApp({ path, isSignedIn: true, isStrict: true })

/** Answers the call, and collects the bodies that it got. */
function acceptConsent(answer = () => ({ connection: makeSpotify({ isConnected: true }) })) {
  const bodies: unknown[] = []
  answerCalls({
    'POST /api/spotify/callback': ({ body }) => {
      bodies.push(body)
      return answer()
    },
  })
  return bodies
}

function refuseConsent(error: Error) {
  return acceptConsent(() => {
    throw error
  })
}

it('2.35a, 2.35b, 8.12a, 9.21, 15.11 posts code and state once, and goes to the profile 2 s later', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  let answeredAtMs = Infinity
  const bodies = acceptConsent(() => {
    answeredAtMs = Date.now()
    return { connection: makeSpotify({ isConnected: true }) }
  })
  const { pathname, location } = await open()
  await screen.findByText('Successfully connected to Spotify!')
  expect(screen.getByRole('heading', { name: 'Connecting to Spotify' })).toBeDefined()
  expect(screen.getByText('Redirecting you back to your profile...')).toBeDefined()
  await screen.findByText('Spotify connected')
  await waitFor(() => expect(location()?.search).toBe(''))
  while (pathname() !== '/profile') await act(() => vi.advanceTimersByTimeAsync(50))
  expect(Date.now() - answeredAtMs).toBeGreaterThanOrEqual(limits.callbackRedirectMs)
  expect(bodies).toEqual([{ code: 'secret-code', state: 'secret-state' }])
})

it('2.35b, 15.11 while it waits, it says so, and the address has neither code nor state', async () => {
  answerCalls({ 'POST /api/spotify/callback': () => new Promise(() => undefined) })
  const { location } = await open()
  await screen.findByText('Processing your authentication...')
  await waitFor(() => expect(location()?.search).toBe(''))
})

it.each([returned, '/callback/?code=c&state=s'])('2.9b, 2.6 %s has no navigation bar', async (path) => {
  acceptConsent()
  await open(path)
  await screen.findByText('Authentication Logs')
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(screen.queryByRole('banner')).toBeNull()
})

it('15.12 the logs have a time for each step, and neither code nor state', async () => {
  refuseConsent(new AppError('provider_failed', 'Token exchange failed: bad secret-code for secret-state'))
  await open()
  await screen.findByText(/Token exchange failed/)
  const steps = screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
  expect(steps.length).toBeGreaterThanOrEqual(4)
  for (const step of steps) expect(step).toMatch(/^\d\d:\d\d:\d\d/)
  expect(document.body.innerHTML).not.toMatch(/secret-(code|state)/)
})

it('2.35b, 8.7b a refusal of the server is an error with a way back', async () => {
  refuseConsent(new AppError('invalid_input', 'The state is unknown or was used before'))
  await open()
  await screen.findByText('Error connecting to Spotify')
  expect(screen.getByText('Failed to authenticate with Spotify. See logs for details.')).toBeDefined()
  expect(screen.getByText(/The state is unknown or was used before/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Return to Profile' }).getAttribute('href')).toBe('/profile')
})

it('8.7b an unexpected failure has no reason to give', async () => {
  refuseConsent(new AppError('internal'))
  await open()
  expect(await screen.findByText('Unknown error occurred')).toBeDefined()
})

it('8.7b a denied consent shows what Spotify reported, and posts nothing', async () => {
  const bodies = acceptConsent()
  const { location } = await open('/callback?error=access_denied&state=secret-state')
  await screen.findByText('Spotify authorization error: access_denied')
  await waitFor(() => expect(location()?.search).toBe(''))
  expect(bodies).toEqual([])
})

it('5.9 an address without a code, such as after a reload, posts nothing', async () => {
  const bodies = acceptConsent()
  await open('/callback')
  await screen.findByText('No authorization code received from Spotify')
  expect(bodies).toEqual([])
})

it('15.11 an address without a state posts nothing', async () => {
  const bodies = acceptConsent()
  await open('/callback?code=secret-code')
  await screen.findByText('Failed to authenticate with Spotify. See logs for details.')
  expect(bodies).toEqual([])
})

it('8.1c, 5.6 signed out, nothing is posted', async () => {
  const bodies = acceptConsent()
  await renderApp({ path: returned })
  await screen.findByText('You must be logged in to connect to Spotify')
  expect(bodies).toEqual([])
})

it('8.1c a session that ended meanwhile is the same', async () => {
  refuseConsent(new AppError('unauthenticated'))
  await open()
  expect(await screen.findByText('You must be logged in to connect to Spotify')).toBeDefined()
})

it("15.11 a session that cannot be read is the server's to judge", async () => {
  const bodies = acceptConsent()
  answerAuth({ 'GET /api/auth/get-session': () => new Response(null, { status: 500 }) })
  keepSession()
  await sessionStore?.get().refetch()
  renderRoutes({ path: returned })
  await screen.findByText('Successfully connected to Spotify!')
  expect(bodies).toHaveLength(1)
})
