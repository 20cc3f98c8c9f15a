import { AppError } from '@earshot/core/protocol/errors'
import { errorTexts } from '../../texts/errors.ts'
import { serverMessage } from '../../texts/server-messages.ts'

/** Returns the text of a failed call: for input that was refused, the server's, which says why. */
export function describeError(error: unknown): string {
  if (!(error instanceof AppError)) return errorTexts.internal
  const specific = error.code === 'invalid_input' ? serverMessage(error.message) : null
  return specific ?? errorTexts[error.code]
}
