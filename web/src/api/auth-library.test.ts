import { expect, it, onTestFinished, vi } from 'vitest'
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
