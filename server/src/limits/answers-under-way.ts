import type { ServerResponse } from 'node:http'
import { AppError } from '@earshot/core/protocol/errors'

const retryAfterMs = 1_000

/** Limits the answers to one user that are under way at a time: each holds memory until its client has read it. */
interface AnswersUnderWay {
  /** Counts an answer until its connection is done with it. @throws AppError rate_limited */
  add(userId: string, answer: Pick<ServerResponse, 'closed' | 'once'>): void
}

export function limitAnswersUnderWay(max: number): AnswersUnderWay {
  const counts = new Map<string, number>()
  return {
    add(userId, answer) {
      // Its client has gone meanwhile.
      if (answer.closed) return
      const count = counts.get(userId) ?? 0
      if (count >= max) throw new AppError('rate_limited', undefined, { retryAfterMs })
      counts.set(userId, count + 1)
      answer.once('close', () => {
        const left = (counts.get(userId) ?? 0) - 1
        if (left > 0) counts.set(userId, left)
        else counts.delete(userId)
      })
    },
  }
}
