import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { assertSafeInput, countValues } from '@earshot/core/protocol/parse-input'
import type { FastifyInstance } from 'fastify'
import { serverLimits } from '../server-limits.ts'

/** Rejects NUL characters in URLs: path parameters become texts of database queries. */
export function refuseNulInUrls(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) assertSafeInput('\0')
  })
}

/** Rejects compressed bodies: requests are small, and one that is broken would never be answered. */
export function refuseCompressed(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ headers }) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new AppError('invalid_input', 'The body must not be compressed')
  })
}

/** Answers a request that expects what HTTP does not know as any other: Node would refuse it before the hooks, without headers. */
export function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
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

/**
 * Parses JSON bodies. An empty one is accepted, because clients send the JSON content type without a body. Input that
 * is never valid is rejected here, so that calls forwarded to the sign-in library are covered too.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (countValues(body.toString()) > serverLimits.httpBodyMaxValues)
      return done(new AppError('invalid_input', 'The body has too many values'), undefined)
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

interface Refusal {
  status: number
  error: AppError
}

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new AppError('invalid_input', 'The request did not arrive in time'),
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new AppError('payload_too_large', 'The headers of the request are too large'),
  },
}
const invalid: Refusal = {
  status: 400,
  error: new AppError('invalid_input', 'The request is not valid HTTP'),
}

/** Answers a request that no handler sees, because it is not valid HTTP or never complete, in the documented shape. */
export function answerClientError(error: Error & { code: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, error: refusal } = refusals[error.code] ?? invalid
  const body = JSON.stringify({ error: toWireError(refusal) })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
