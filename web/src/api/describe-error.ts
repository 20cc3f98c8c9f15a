import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { errorTexts } from '../texts/errors.ts'
import { providerMessage } from '../texts/provider-messages.ts'
import { serverMessage } from '../texts/server-messages.ts'

/** Codes with which the server may state the case at hand: what it refused, or what a provider answered. */
const specificCodes: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'link_not_supported',
  'must_reconnect',
  'not_connected',
  'not_found',
  'provider_failed',
  'provider_limit',
  'source_unavailable',
  'track_not_found',
  'unauthenticated',
])

/** Returns the text of a failed call: the server's where it says more than the code; `unexpected` if nobody knows why. */
export function describeError(error: unknown, unexpected: string = errorTexts.internal): string {
  if (!(error instanceof AppError) || error.code === 'internal') return unexpected
  const isSpecific = specificCodes.has(error.code) && error.message !== new AppError(error.code).message
  const stated = isSpecific ? (providerMessage(error.message) ?? serverMessage(error.message)) : null
  return stated ?? errorTexts[error.code]
}
