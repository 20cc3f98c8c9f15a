import type { ServerResponse } from 'node:http'
import { AppError } from '@earshot/core/protocol/errors'
import { createTally } from './tally.ts'

const retryAfterMs = 1_000

/** Limits the answers to one user that are under way at a time: each holds memory until its client has read it. */
interface AnswersUnderWay {
  /** Counts an answer until its connection is done with it. @throws AppError rate_limited */
  add(userId: string, answer: Pick<ServerResponse, 'closed' | 'once'>): void
}

export function limitAnswersUnderWay(max: number): AnswersUnderWay {
  const open = createTally()
  return {
    add(userId, answer) {
      // Its client has gone meanwhile.
      if (answer.closed) return
      if (open.count(userId) >= max) throw new AppError('rate_limited', undefined, { retryAfterMs })
      open.add(userId)
      answer.once('close', () => open.remove(userId))
    },
  }
}
