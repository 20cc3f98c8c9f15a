import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { errorTexts } from '../../../texts/errors.ts'

/** The codes whose text is more helpful than the general one. */
const specificCodes: readonly ErrorCode[] = [
  'not_connected',
  'must_reconnect',
  'provider_failed',
  'provider_limit',
  'link_not_supported',
  'source_unavailable',
  'track_not_found',
  'not_found',
  'rate_limited',
]

/** Returns the text of a provider's failure, or the general one. */
export function describeFailure(error: Error, general: string): string {
  return error instanceof AppError && specificCodes.includes(error.code) ? errorTexts[error.code] : general
}
