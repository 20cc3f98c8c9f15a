import type { BetterAuthOptions } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { Logger } from 'pino'

/**
 * Returns the options by which the sign-in library reports errors: to our log, and to our page. Complaints about a
 * request are logged at debug: anybody could fill the log with them.
 */
export function authLogOptions(logger: Logger): Pick<BetterAuthOptions, 'logger' | 'onAPIError'> {
  return {
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        const fields = describe(details)
        logger[fields.err && !isStaleReturn(fields.err) ? 'error' : 'debug'](fields, message)
      },
    },
    onAPIError: {
      // Otherwise a return from Google that fits no start ends on a page of the library's own.
      errorURL: '/login',
      // Otherwise the library prints refusals to the console.
      onError(error) {
        // Of the database: our server answers and logs it as that of any other call.
        if (!isAPIError(error)) throw error
        const isRefusal = error.status !== 'INTERNAL_SERVER_ERROR'
        logger[isRefusal ? 'debug' : 'error'](describe([error]), 'The sign-in library refused a request')
      },
    },
  }
}

const staleReturnCodes = ['state_not_found', 'state_mismatch', 'state_security_mismatch', 'state_invalid']

/** Whether a return from Google does not fit a start, such as after ten minutes. Anybody can send one. */
function isStaleReturn(error: Error): boolean {
  return 'code' in error && staleReturnCodes.includes(String(error.code))
}

/** Logs errors only: the library's other details can hold personal data. */
function describe(details: unknown[]): { part: string; err?: Error } {
  const err = details.find((detail) => detail instanceof Error)
  return { part: 'auth', ...(err ? { err } : {}) }
}
