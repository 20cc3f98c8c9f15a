import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isMediaCall } from './request.ts'
import { clientKeyHeader, type OriginRule } from './origin.ts'
import { toHeaders } from './request-headers.ts'

/** What tells nothing about anybody: every page may read it, so that a client can find the nearest server. */
const openPaths = new Set(['/health'])

const shared: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: ['content-type', 'range', clientKeyHeader, 'x-client-version'],
  exposedHeaders: ['accept-ranges', 'content-range', 'retry-after'],
  maxAge: 600,
  // A bare OPTIONS is answered as well: the connection tester looks at its headers.
  strictPreflight: false,
}

/** Tells browsers which pages of other origins may read answers: configured ones, and with a key set, all that ask. */
export async function registerCrossOrigin(server: FastifyInstance, rule: OriginRule): Promise<void> {
  await server.register(cors, {
    delegator: (request: FastifyRequest, done) => done(null, chooseOptions(request, rule)),
  })
  if (!rule.acceptsKey) return
  // Where pages live elsewhere their elements show covers and play sound. These cannot ask first, as calls do.
  server.addHook('onRequest', async (request, reply) => {
    if (isMediaCall(request)) reply.header('cross-origin-resource-policy', 'cross-origin')
  })
}

function chooseOptions(request: FastifyRequest, rule: OriginRule): FastifyCorsOptions {
  const origin = request.headers.origin
  if (openPaths.has(request.url.split('?')[0] ?? '')) {
    return { ...shared, methods: ['GET', 'HEAD', 'OPTIONS'], origin: '*' }
  }
  const isAdmitted = origin !== undefined && rule.mayAsk(origin, toHeaders(request.headers))
  return isAdmitted ? { ...shared, origin, credentials: true } : { ...shared, origin: false }
}
