import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Faults, type Fault } from './faults.ts'

/** A request that a double received, for assertions. Holds secrets as they were sent. */
export interface RecordedCall {
  /** ms since the epoch */
  at: number
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string | string[] | undefined>
  /** The body as text; empty without one. */
  body: string
}

export interface DoubleServer {
  /** The address without a trailing slash, for example `http://127.0.0.1:41234`. */
  origin: string
  calls: RecordedCall[]
  faults: Faults
  close: () => Promise<void>
}

/**
 * Starts an HTTP server on the loopback address that records every request, answers with the faults that are switched
 * on, and allows every origin to read its answers. Bodies reach the routes as text.
 * @param addRoutes adds the routes; its origin is known only once the server listens, hence the function
 * @param port 0 for any that is free
 */
export async function startDoubleServer(
  addRoutes: (app: FastifyInstance, origin: () => string) => void,
  port = 0,
): Promise<DoubleServer> {
  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
  })
  const calls: RecordedCall[] = []
  const faults = new Faults()
  let origin = ''
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    exposedHeaders: ['Retry-After'],
    maxAge: 600,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('preHandler', async (request, reply) => {
    const call = record(request)
    calls.push(call)
    const fault = faults.take(call.method, call.path, call.query)
    if (fault) return applyFault(fault, reply)
  })
  addRoutes(app, () => origin)
  await app.listen({ host: '127.0.0.1', port })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return { origin, calls, faults, close: () => app.close() }
}

/** The body of a request as text. */
export const bodyOf = (request: FastifyRequest): string =>
  typeof request.body === 'string' ? request.body : ''

/** The path and the query of a request. The host is a placeholder. */
export const urlOf = (request: FastifyRequest): URL => new URL(request.url, 'http://double')

function record(request: FastifyRequest): RecordedCall {
  const { pathname, searchParams } = urlOf(request)
  return {
    at: Date.now(),
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: bodyOf(request),
  }
}

/** Answers with a fault; leaves the request to its route if the fault is only a delay. */
async function applyFault(fault: Fault, reply: FastifyReply): Promise<FastifyReply | undefined> {
  // Not kept running by a slow answer: the process of a test may end before it.
  if (fault.delayMs !== undefined) await delay(fault.delayMs, undefined, { ref: false })
  await fault.until
  if (fault.hangUp) {
    reply.hijack()
    reply.raw.destroy()
    return reply
  }
  if (fault.status === undefined) return undefined
  return reply
    .code(fault.status)
    .headers(fault.headers ?? {})
    .send(fault.body ?? '')
}
