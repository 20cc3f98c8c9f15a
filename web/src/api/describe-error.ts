import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { errorTexts } from '../texts/errors.ts'
import { serverMessage } from '../texts/server-messages.ts'

/** Codes whose message the server writes for the case at hand: what it refused, or what a provider answered. */
const specificCodes: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'provider_failed',
  'provider_limit',
  'source_unavailable',
  'unauthenticated',
])

/** Returns the text of a failed call: the server's where it says more than the code; `unexpected` if nobody knows why. */
export function describeError(error: unknown, unexpected: string = errorTexts.internal): string {
  if (!(error instanceof AppError) || error.code === 'internal') return unexpected
  return (specificCodes.has(error.code) ? serverMessage(error.message) : null) ?? errorTexts[error.code]
}
