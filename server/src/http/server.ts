import compress from '@fastify/compress'
import { constants } from 'node:zlib'
import { limits } from '@earshot/core/limits'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { ResolveSession } from '../auth/session.ts'
import type { Env } from '../env.ts'
import { newId } from '../ids.ts'
import { registerCrossOrigin } from './cross-origin.ts'
import { answerErrors, sendError } from './errors.ts'
import { prepareCalls } from './http-call.ts'
import { acceptJson, refuseZeroInAddresses } from './bodies.ts'
import { refuseForeignOrigins, type OriginRule } from './origin.ts'
import { redirectLocalhost } from './page.ts'
import { registerRequestLimits } from '../limits/request-limits.ts'
import { registerSecurityHeaders } from './security-headers.ts'

/** Ids of a contract are at most this long, and they are parts of paths. */
const longestPathPart = 300
const smallestCompressedBytes = 1_024

export interface ServerParts {
  env: Env
  logger: Logger
  originRule: OriginRule
  resolveSession: ResolveSession
  /** For limits that all processes share; null where there is one process. */
  redis: Redis | null
}

/** The HTTP server with everything that holds for all of its calls; the calls themselves are registered after it. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { env, logger, originRule } = parts
  // What the framework has to say below a warning, others say better.
  const loggerInstance: FastifyBaseLogger = logger.isLevelEnabled('warn')
    ? logger.child({}, { level: 'warn' })
    : logger
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: limits.httpBodyMaxBytes,
    genReqId: () => newId(),
    // Behind a proxy the client's address is what the proxy says; without one, anybody could say anything.
    trustProxy: env.publicUrl === null ? false : ['loopback', 'linklocal', 'uniquelocal'],
    routerOptions: { maxParamLength: longestPathPart },
    frameworkErrors: (error: FastifyError, request, reply) => void sendError(error, request, reply),
  })
  answerErrors(server)
  acceptJson(server)
  logResponses(server, logger)
  await registerSecurityHeaders(server, env)
  await registerCrossOrigin(server, originRule)
  redirectLocalhost(server, env.publicUrl)
  await registerRequestLimits(server, parts.redis)
  refuseForeignOrigins(server, originRule)
  refuseZeroInAddresses(server)
  await server.register(compress, {
    threshold: smallestCompressedBytes,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  prepareCalls(server, parts.resolveSession)
  return server
}

/** Paths without their queries: what people search for is their own affair. */
function logResponses(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'Answered',
    )
  })
}
