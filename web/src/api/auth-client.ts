import { createAuthClient } from 'better-auth/react'

/** The sign-in library's client; it keeps the session in step with the other tabs. */
export const authClient = createAuthClient({ basePath: '/api/auth' })
