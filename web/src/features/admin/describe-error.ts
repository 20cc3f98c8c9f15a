import { AppError } from '@earshot/core/protocol/errors'
import { errorTexts } from '../../texts/common.ts'

/** Returns the text of a failed call: for input that was refused, the server's, which says why. */
export function describeError(error: unknown): string {
  if (!(error instanceof AppError)) return errorTexts.internal
  return error.code === 'invalid_input' ? error.message : errorTexts[error.code]
}
