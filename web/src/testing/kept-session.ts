import { loadAuthClient } from '../api/auth-client.ts'

/** The sign-in library's store of the session. */
export const sessionStore = (await loadAuthClient()).$store.atoms['session']

/**
 * Subscribes to the session until the end of a test file. One second after its last subscriber the library cleans up,
 * which would fail after the last test, when the page is gone.
 */
export const keepSession = (): void => void sessionStore?.listen(() => undefined)
