import { authClient } from '../api/auth-client.ts'

/** The sign-in library's store of the session. */
export const sessionStore = authClient.$store.atoms['session']

/**
 * Reads the session to the end of a test file. A second after its last reader has gone the library tidies up, and after
 * the last test there is no page any more to do that in.
 */
export const keepSession = (): void => void sessionStore?.listen(() => undefined)
