import { expect, it, onTestFinished, vi } from 'vitest'
import { makeSession } from '../testing/samples.ts'
import { authClient } from './auth-library.ts'

/** Calls a server that does not answer; resolves to how long the call waits for it, s. */
async function measurePatience(call: () => Promise<unknown>): Promise<number> {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const ended = vi.fn<() => void>()
  void call().then(ended, ended)
  let seconds = 0
  for (; ended.mock.calls.length === 0; seconds += 1) await vi.advanceTimersByTimeAsync(1_000)
  return seconds
}

it('17.327 a sign-up waits longer for the server than what hashes no password', async () => {
  const account = { email: 'a@example.org', password: 'correct horse', name: 'Ann' }
  expect(await measurePatience(() => authClient.signUp.email(account))).toBe(30)
  expect(await measurePatience(() => authClient.getSession())).toBe(10)
})

it('17.416 the session is read, and so renewed, every 12 hours', async () => {
  vi.useFakeTimers()
  // A client of its own: another test's may be listened to since before the clock was faked.
  vi.resetModules()
  const { authClient: client } = await import('./auth-library.ts')
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(new URL(url, location.href).pathname)
    return Promise.resolve(Response.json(makeSession()))
  })
  const stop = client.$store.atoms['session']?.listen(() => undefined)
  onTestFinished(() => {
    stop?.()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  await vi.advanceTimersByTimeAsync(11 * 60 * 60 * 1_000)
  calls.length = 0
  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000)
  expect(calls).toEqual(['/api/auth/get-session'])
})
