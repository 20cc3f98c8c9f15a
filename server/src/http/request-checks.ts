import { AppError } from '@earshot/core/protocol/errors'
import { assertSafeInput } from '@earshot/core/protocol/parse-input'
import type { FastifyInstance } from 'fastify'

/** Rejects NUL characters in URLs: path parameters become texts of database queries. */
export function refuseNulInUrls(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) assertSafeInput('\0')
  })
}

/**
 * Rejects requests without a Host header, or with several (RFC 9112, 3.2): of two, a proxy in front may have read the other
 * one. HTTP/1.0 has none.
 */
export function requireOneHost(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw: { rawHeaders, httpVersion } }) => {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
    if (hosts !== 1 && !(hosts === 0 && httpVersion === '1.0'))
      throw new AppError('invalid_input', 'The request needs one Host header')
  })
}
