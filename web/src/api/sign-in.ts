import { serverMessage } from '../texts/server-messages.ts'
import { times } from '../texts/times.ts'
import { formatWait } from '../ui/music/format-time.ts'
import { loadAuthClient } from './auth-client.ts'
import type { AuthClient } from './auth-library.ts'
import { toAppError } from './call-api.ts'
import { refusedSession } from './refused-session.ts'
import { writeStored } from '../storage.ts'

/** Of `kept-return-path`, which only the login page loads. */
export const returnPathKey = 'return-once-confirmed:v1'

/** A failed call of the sign-in library, with the server's code and message if there are any. */
export interface AuthFailure {
  code: string | null
  message: string | null
}

/** Signs in; resolves to null on success. Never rejects. */
export function signIn(email: string, password: string): Promise<AuthFailure | null> {
  return settle((client) => client.signIn.email({ email, password }))
}

/** Creates an account, named after the email's local part unless it has a name; signs in if it needs no confirmation. */
export function signUp(
  email: string,
  password: string,
  username = '',
  invite?: string,
): Promise<AuthFailure | null> {
  const name = username || email.split('@')[0] || email
  const account = {
    email,
    password,
    name,
    ...(username === '' ? {} : { username }),
    ...(invite === undefined ? {} : { invite }),
  }
  return settle((client) => client.signUp.email(account))
}

export async function signOut(): Promise<AuthFailure | null> {
  refusedSession.setState({ isOver: true })
  const failure = await settle((client) => client.signOut())
  if (failure) refusedSession.setState({ isOver: false })
  else writeStored('device', returnPathKey, null)
  return failure
}

/** A failed call of the sign-in library, as it gives the body of the answer. */
interface LibraryError {
  code?: string
  message?: string
}

/** Makes a call of the sign-in library. Resolves to null on success. Never rejects. */
export async function settle(
  call: (client: AuthClient) => Promise<{ error: LibraryError | null }>,
): Promise<AuthFailure | null> {
  try {
    const { error } = await call(await loadAuthClient())
    if (!error) return null
    const { code = null, message } = error
    return {
      code,
      message: describeWait(error) ?? (message === undefined ? null : serverMessage(message, code)),
    }
  } catch {
    return { code: null, message: null }
  }
}

/** Says when to try again, where the server states it. */
function describeWait(error: LibraryError): string | null {
  const { code, details } = toAppError(error)
  if (code !== 'rate_limited' || details.retryAfterMs === undefined) return null
  return times.tooManyRequests(formatWait(Math.ceil(details.retryAfterMs / 1_000)))
}
