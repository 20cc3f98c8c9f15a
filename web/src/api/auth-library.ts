import { createAuthClient } from 'better-auth/client'
import { callTimeoutMs, passwordTimeoutMs, timedFetch } from './timed-fetch.ts'

/** The sign-in library's client; it syncs the session between tabs. Loaded by `auth-client.ts` when it is needed. */
export const authClient = createAuthClient({
  basePath: '/api/auth',
  // The library's own time-out does not cover calls that it may abort, such as reading the session.
  fetchOptions: {
    customFetchImpl: (input, init) =>
      timedFetch(input, init, init?.method === 'POST' ? passwordTimeoutMs : callTimeoutMs),
  },
})

export type AuthClient = typeof authClient
