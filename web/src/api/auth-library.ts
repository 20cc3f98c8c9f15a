import { createAuthClient } from 'better-auth/client'
import { refusedCalls } from './refused-session.ts'
import { callTimeoutMs, passwordTimeoutMs, timedFetch } from './timed-fetch.ts'

/** The sign-in library's client; it syncs the session between tabs. Loaded by `auth-client.ts` when it is needed. */
export const authClient = createAuthClient({
  basePath: '/api/auth',
  // Only reading the session renews it, and a page that stays in sight has no other occasion.
  sessionOptions: { refetchInterval: 12 * 60 * 60 },
  // The library's own time-out does not cover calls that it may abort, such as reading the session.
  fetchOptions: {
    async customFetchImpl(input, init) {
      const timeoutMs = init?.method === 'POST' ? passwordTimeoutMs : callTimeoutMs
      const response = await timedFetch(input, init, timeoutMs)
      // The library takes any text for an answer: the login page of a network would be a session without a user.
      if (!isJson(response)) throw new TypeError('The answer is not of this server')
      // A refused reading tells by itself.
      if (response.status === 401 && init?.method === 'POST') refusedCalls.setState({}, true)
      return response
    },
  },
})

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true

export type AuthClient = typeof authClient
