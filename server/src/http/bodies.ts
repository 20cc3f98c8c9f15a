import { assertSafeInput } from '@earshot/core/protocol/parse-input'
import type { FastifyInstance } from 'fastify'

/**
 * Parses JSON bodies. An empty one is accepted, because clients send the JSON content type without a body. Input that
 * is never valid is rejected here, so that calls forwarded to the sign-in library are covered too.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, body.toString(), (error, parsed: unknown) => done(error ?? findFlaw(parsed), parsed))
  })
}

function findFlaw(input: unknown): Error | null {
  try {
    assertSafeInput(input)
    return null
  } catch (error) {
    return error as Error
  }
}
