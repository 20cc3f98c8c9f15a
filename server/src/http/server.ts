import compress from '@fastify/compress'
import etag from '@fastify/etag'
import type { IncomingMessage } from 'node:http'
import { constants } from 'node:zlib'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify'
import type { Logger } from 'pino'
import type { ResolveSession } from '../auth/session.ts'
import type { Env } from '../env/env.ts'
import { newId } from '../ids.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { answerErrors, sendError } from './errors.ts'
import { cleanForwardedFor, toTrust } from './client-address.ts'
import { refuseWhileClosing, trackTraffic } from './close-server.ts'
import { prepareCalls } from './http-call.ts'
import {
  refuseCompressed,
  refuseNulInUrls,
  ignoreExpectations,
  requireOneHost,
  acceptJson,
  answerClientError,
} from './request-checks.ts'
import { refuseForeignOrigins, registerCors, type OriginRule } from './origin.ts'
import { redirectLocalhost } from './page-request.ts'
import { type RequestLimitParts, registerRequestLimits } from '../limits/request-limits.ts'
import { listensOnAll } from './network-addresses.ts'
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts'
import { serverLimits } from '../server-limits.ts'

/** Path parameters are ids, and an id may be this long. */
const pathParamMaxLength = 300
const compressionMinBytes = 1_024
/** Up to this size, compressing takes 0.2 ms at most, and less than the stream that would keep it off the main thread. */
const compressedAtOnceMaxBytes = 16_384
/** How often requests that stall are looked for. */
const stallCheckMs = 1_000

export interface ServerParts extends Omit<RequestLimitParts, 'addressScale'> {
  env: Env
  logger: Logger
  originRule: OriginRule
  resolveSession: ResolveSession
  securityLog: SecurityLog
}

/** Creates the HTTP server with all that its calls share. The calls themselves are registered afterwards. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { env, logger, originRule } = parts
  // Fastify's info logs duplicate ours.
  const loggerInstance: FastifyBaseLogger = logger.isLevelEnabled('warn')
    ? logger.child({}, { level: 'warn' })
    : logger
  const headers = securityHeaders(env)
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: serverLimits.httpBodyMaxBytes,
    requestTimeout: serverLimits.httpRequestMs,
    // Also where a client does not read its answer, which would stay in memory.
    connectionTimeout: serverLimits.httpStallMs,
    http: {
      connectionsCheckingInterval: stallCheckMs,
      shouldUpgradeCallback: isWebSocket,
      // Node exchanges the two where this one is longer, and gives bodies its own 60 s.
      headersTimeout: serverLimits.httpRequestMs,
      // Checked by `requireOneHost`, which answers in the documented shape.
      requireHostHeader: false,
    },
    genReqId: () => newId(),
    // Only a trusted proxy may name another address: any client could forge it with x-forwarded-for.
    trustProxy: toTrust(env.trustProxy) ?? false,
    routerOptions: { maxParamLength: pathParamMaxLength },
    clientErrorHandler: answerClientError,
    // `refuseWhileClosing` does.
    return503OnClosing: false,
    // As for a URL that cannot be decoded: without hooks.
    frameworkErrors: (error: FastifyError, request, reply) =>
      void sendError(error, request, reply.headers(headers)),
  })
  trackTraffic(server)
  ignoreExpectations(server)
  if (env.trustProxy === null) warnOfUntrustedProxy(server)
  else server.addHook('onRequest', async ({ raw }) => cleanForwardedFor(raw))
  answerErrors(server, parts.securityLog)
  acceptJson(server)
  requireOneHost(server)
  logResponses(server, logger)
  registerSecurityHeaders(server, headers)
  await registerCors(server, originRule)
  refuseWhileClosing(server)
  redirectLocalhost(server, env)
  refuseForeignOrigins(server, originRule)
  refuseNulInUrls(server)
  refuseCompressed(server)
  // Before the compression: lists that are read again and again are sent once.
  await server.register(etag, { weak: true })
  await server.register(compress, {
    threshold: compressionMinBytes,
    syncThreshold: compressedAtOnceMaxBytes,
    globalDecompression: false,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  prepareCalls(server, parts.resolveSession)
  // Last: requests that the hooks above refuse do not count.
  registerRequestLimits(server, { ...parts, addressScale: env.addressScale })
  return server
}

/** Other upgrades are ignored, as HTTP says: some clients offer HTTP/2 (`h2c`) with every request. */
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Behind a proxy that is not trusted, all visitors count as one address, and share its limits. */
function warnOfUntrustedProxy(server: FastifyInstance): void {
  let hasWarned = false
  server.addHook('onRequest', async (request) => {
    if (hasWarned || request.headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    request.log.warn(
      { address: request.ip },
      'A request has X-Forwarded-For, which is ignored. If it came through your proxy, set TRUST_PROXY to its address',
    )
  })
}

/** Logs paths without their queries, which hold search terms. */
function logResponses(server: FastifyInstance, logger: Logger): void {
  server.addHook('onRequestAbort', async ({ id, method, url }) => {
    logger.debug({ requestId: id, method, path: url.split('?')[0] }, 'Request aborted by the client')
  })
  server.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'Request completed',
    )
  })
}

/** Returns the address; the loopback one for a server that listens on all addresses. */
export function listeningAddress(server: FastifyInstance, host: string): string {
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  const name = listensOnAll(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`
}
