import { AppError } from '@earshot/core/protocol/errors'
import { NoAnswerError } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'

/** The outcome of a test, shown in its section and as a notice. */
export interface TestOutcome {
  kind: 'success' | 'error'
  title: string
  text: string
  /** The server's answer, pretty-printed. */
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

/** Describes a failed call; an error from the server gets the title `errorTitle`. */
export function failWith(error: unknown, errorTitle: string): TestOutcome {
  if (error instanceof NoAnswerError) {
    if (error.reason === 'not_connected') return fail(texts.socketNotAvailable, texts.notConnected)
    return fail(texts.noAcknowledgment, error.reason === 'lost' ? texts.connectionLost : texts.timeout)
  }
  if (error instanceof AppError) return fail(errorTitle, texts.serverError(error.code))
  return fail(errorTitle, String(error))
}
