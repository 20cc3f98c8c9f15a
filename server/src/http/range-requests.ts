import { AppError, toWireError } from '@earshot/core/protocol/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Whether a Range header is one range of bytes that means something in a file of `size` bytes. Any other may be
 * ignored (RFC 9110, 14.2), so the answer is the whole file: also for an end before the beginning, and for a tail
 * that is longer than the file.
 */
export function isPlainRange(range: string | undefined, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? []
  if (first === '') return last !== '' && Number(last) <= size
  return last === '' || Number(first) <= Number(last)
}

const conditionErrors = new Map([
  [412, 'The file has changed'],
  [416, 'The range is outside of the file'],
])

/** What HTTP has statuses of its own for is answered with them; the rest as everywhere. */
export function answerConditions(scope: FastifyInstance) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const message = conditionErrors.get(error.statusCode ?? 0)
    if (message === undefined) {
      scope.errorHandler(error, request, reply)
      return
    }
    // For 416: how long the file is.
    if ('headers' in error && typeof error.headers === 'object') reply.headers({ ...error.headers })
    const answer = { error: toWireError(new AppError('invalid_input', message)) }
    void reply
      .type('application/json')
      .code(error.statusCode ?? 400)
      .send(answer)
  }
}
