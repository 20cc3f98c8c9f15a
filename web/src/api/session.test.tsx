import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answerAuth } from '../testing/contract-network.ts'
import { keepSession, sessionStore } from '../testing/kept-session.ts'
import { makeSession } from '../testing/samples.ts'
import { SessionProvider, useSession } from './session.tsx'
import { createQueryClient } from './queries.ts'

function Probe() {
  const { status, user, isUnreadable } = useSession()
  return <p>{`${status} ${user?.name ?? '-'}${isUnreadable ? ' unreadable' : ''}`}</p>
}

function renderProbe() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <Probe />
      </SessionProvider>
    </QueryClientProvider>,
  )
  keepSession()
}

async function screenWithSession() {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  renderProbe()
  await act(() => sessionStore?.get().refetch())
  await screen.findByText('signed_in ann')
}

it('4.1a the session is restored on load', async () => {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  renderProbe()
  expect(screen.getByText('loading -')).toBeDefined()
  await screen.findByText('signed_in ann')
})

it('12.3c a session that cannot be read signs nobody out, and is read again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  await screenWithSession()
  let reads = 0
  const fail = () => {
    reads += 1
    return new Response(null, { status: 503 })
  }
  answerAuth({ 'GET /api/auth/get-session': fail })
  await act(() => sessionStore?.get().refetch())
  expect(screen.getByText('signed_in ann unreadable')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(reads).toBeGreaterThanOrEqual(3)
  expect(screen.getByText('signed_in ann unreadable')).toBeDefined()
  reads = 0
  const answer = () => {
    reads += 1
    return Response.json(null)
  }
  answerAuth({ 'GET /api/auth/get-session': answer })
  await act(() => vi.advanceTimersByTimeAsync(90_000))
  expect(screen.getByText('signed_out -')).toBeDefined()
  expect(reads).toBe(1)
})

it.each([
  ['a page', '<!doctype html><title>Welcome to our Wi-Fi</title>', { 'content-type': 'text/html' }, 200],
  ['nothing', null, undefined, 200],
  ['a page that asks to sign in', '<!doctype html>', { 'content-type': 'text/html' }, 401],
])('12.3c %s in place of the session signs nobody out', async (_what, body, headers, status) => {
  await screenWithSession()
  answerAuth({
    'GET /api/auth/get-session': () => new Response(body, { status, ...(headers && { headers }) }),
  })
  await act(() => sessionStore?.get().refetch())
  expect(screen.getByText('signed_in ann unreadable')).toBeDefined()
})

it('12.3c a session that hangs is unreadable after 10 s, not loading for ever', async () => {
  await screenWithSession()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  answerAuth({ 'GET /api/auth/get-session': () => new Promise<never>(() => undefined) })
  void sessionStore?.get().refetch()
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(screen.getByText('signed_in ann')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect(screen.getByText('signed_in ann unreadable')).toBeDefined()
})

it('12.3a the session in the page counts before the server was asked', () => {
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = 'page-data'
  element.textContent = JSON.stringify({
    user: { id: 'u9', name: 'eve', email: 'eve@x.org', avatarUrl: null },
  })
  document.head.append(element)
  onTestFinished(() => element.remove())
  answerAuth({ 'GET /api/auth/get-session': () => new Promise<never>(() => undefined) })
  renderProbe()
  // The library may still hold the failure of the test before.
  expect(screen.getByText(/^signed_in eve/)).toBeDefined()
})

it('8.1b using the session outside its provider throws', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => render(<Probe />)).toThrow('must be used within an authentication provider')
  quiet.mockRestore()
})
