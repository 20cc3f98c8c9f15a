import { AppError } from '@earshot/core/protocol/errors'
import { connecting } from '../../texts/login.ts'
import { errorTexts } from '../../texts/errors.ts'
import { serverMessage } from '../../texts/server-messages.ts'

/** Codes whose message the server writes for the case at hand, such as what a provider answered. */
const specificCodes = new Set(['provider_failed', 'provider_limit', 'source_unavailable', 'unauthenticated'])

/** Returns the text of a failed call: the server's where it says more than the code. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof AppError)) return connecting.unknownError
  const specific = specificCodes.has(error.code) ? serverMessage(error.message) : null
  if (specific) return specific
  return error.code === 'internal' ? connecting.unknownError : errorTexts[error.code]
}
