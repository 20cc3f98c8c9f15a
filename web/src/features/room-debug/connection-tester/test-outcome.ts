import { AppError } from '@earshot/core/protocol/errors'
import { NoAnswerError } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts.ts'

/** What came of a test: shown where it was started, and as a notice. */
export interface TestOutcome {
  kind: 'success' | 'error'
  title: string
  text: string
  /** What the server answered, over several lines. */
  details?: string
}

export const succeed = (title: string, text: string, details?: string): TestOutcome => ({
  kind: 'success',
  title,
  text,
  details,
})

export const fail = (title: string, text: string, details?: string): TestOutcome => ({
  kind: 'error',
  title,
  text,
  details,
})

/** Why an event was not acknowledged with data; a refusal of the server under `refused`. */
export function failWith(error: unknown, refused: string): TestOutcome {
  if (error instanceof NoAnswerError) {
    if (error.reason === 'not_connected') return fail(texts.socketNotAvailable, texts.notConnected)
    return fail(texts.noAcknowledgment, error.reason === 'lost' ? texts.connectionLost : texts.timeout)
  }
  if (error instanceof AppError) return fail(refused, texts.serverError(error.code))
  return fail(refused, String(error))
}
