import { assertSafeInput } from '@earshot/core/protocol/parse-input'
import type { FastifyInstance } from 'fastify'

/**
 * Reads bodies of JSON. Clients announce JSON also where they send nothing: a call without input takes that. What no
 * input may have is refused here, for the sign-in library's calls too, whose input is the library's affair.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, body.toString(), (error, parsed: unknown) => done(error ?? findFlaw(parsed), parsed))
  })
}

/** A zero character in an address may be part of any text that is looked up by it. */
export function refuseZeroInAddresses(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) assertSafeInput('\0')
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
