import { createAuthClient } from 'better-auth/react'
import { timedFetch } from './timed-fetch.ts'

/** The sign-in library's client; it syncs the session between tabs. */
export const authClient = createAuthClient({
  basePath: '/api/auth',
  // The library's own time-out does not cover calls that it may abort, such as reading the session.
  fetchOptions: { customFetchImpl: (input, init) => timedFetch(input, init) },
})
