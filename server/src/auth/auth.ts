import type { AuthLibrary, AuthLibraryParts } from './auth-library.ts'

type AuthParts = Omit<AuthLibraryParts, 'publicUrl'>

/** Accounts and sessions. Requests that arrive before `load` wait for it. */
export interface Auth extends AuthLibrary {
  /**
   * Loads the sign-in library; call once. `publicUrl` is the server's address for browsers, which is only known after
   * listening where none is configured. Rejects where loading fails, and every later request with it.
   */
  load(publicUrl: string): Promise<void>
}

/** Creates sign-in without loading its library, which is large and would delay the start of the server. */
export function createAuth(parts: AuthParts): Auth {
  const { promise: library, resolve } = Promise.withResolvers<AuthLibrary>()
  let isLoading = false
  return {
    async load(publicUrl) {
      isLoading = true
      resolve(importAuthLibrary({ ...parts, publicUrl }))
      await library
    },
    handle: async (request) => (await library).handle(request),
    resolveSession: async (cookies, beforeRead) =>
      cookies === undefined ? null : (await library).resolveSession(cookies, beforeRead),
    checkPassword: async (userId, password) => (await library).checkPassword(userId, password),
    createResetLink: async (userId) => (await library).createResetLink(userId),
    async close() {
      if (!isLoading) return
      const loaded = await library.catch(() => null)
      await loaded?.close()
    },
  }
}

async function importAuthLibrary(parts: AuthLibraryParts): Promise<AuthLibrary> {
  const { openAuthLibrary } = await import('./auth-library.ts')
  return openAuthLibrary(parts)
}
