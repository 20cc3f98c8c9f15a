import { createAuthClient } from 'better-auth/react'

/** The sign-in library's client; it syncs the session between tabs. */
export const authClient = createAuthClient({ basePath: '/api/auth' })
