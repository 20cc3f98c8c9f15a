import type { Auth, AuthParts } from './auth.ts'

/**
 * The sign-in library is large: it is loaded while the server is up already, and whoever comes earlier waits for it.
 * `getParts` is asked once, as loading begins.
 */
export function createLazyAuth(getParts: () => Promise<AuthParts>): Auth & { load(): Promise<void> } {
  let loading: Promise<Auth> | null = null
  const load = (): Promise<Auth> => {
    loading ??= open(getParts)
    return loading
  }
  return {
    load: async () => void (await load()),
    handle: async (request) => (await load()).handle(request),
    resolveSession: async (headers) =>
      headers.has('cookie') ? (await load()).resolveSession(headers) : null,
    close: async () => (await loading?.catch(() => null))?.close(),
  }
}

async function open(getParts: () => Promise<AuthParts>): Promise<Auth> {
  const { createAuth } = await import('./auth.ts')
  return createAuth(await getParts())
}
