import type { Fault } from '../faults.ts'
import type { ErrorAnswer } from './web-api-types.ts'

const toFault = (status: number, error: Omit<ErrorAnswer['error'], 'status'>, headers = {}): Fault => {
  const body: ErrorAnswer = { error: { status, ...error } }
  return { status, body, headers }
}

/** Too many requests in 30 s. */
export const rateLimited = (retryAfterSeconds: number): Fault =>
  toFault(429, { message: 'API rate limit exceeded' }, { 'retry-after': String(retryAfterSeconds) })

/** The developer's quota is used up. `retryAfterSeconds` near 13 hours has been seen; null leaves the header out. */
export const quotaExceeded = (retryAfterSeconds: number | null = 46_800): Fault =>
  toFault(
    429,
    { message: 'API quota exceeded', reason: 'QUOTA_EXCEEDED' },
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  )

export const tokenExpired: Fault = toFault(401, { message: 'The access token expired' })

/** The first start on a fresh device. */
export const deviceNotFound: Fault = toFault(404, { message: 'Device not found' })

/** The token endpoint answers 200 without an access token. */
export const missingToken: Fault = { status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } }

/** The token endpoint refuses a refresh token or a code. */
export const invalidGrant: Fault = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'Refresh token revoked' },
}
