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
import { answerErrors, sendError } from './errors.ts'
import { prepareCalls } from './http-call.ts'
import { acceptJson, refuseNulInUrls } from './bodies.ts'
import { refuseForeignOrigins, registerCors, type OriginRule } from './origin.ts'
import { redirectLocalhost } from './page.ts'
import { registerRequestLimits } from '../limits/request-limits.ts'
import { registerSecurityHeaders } from './security-headers.ts'

/** Path parameters are ids, and an id may be this long. */
const pathParamMaxLength = 300
const compressionMinBytes = 1_024

export interface ServerParts {
  env: Env
  logger: Logger
  originRule: OriginRule
  resolveSession: ResolveSession
  /** For rate limits shared by all processes; null where there is one process. */
  redis: Redis | null
}

/** Creates the HTTP server with all that its calls share. The calls themselves are registered afterwards. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { env, logger, originRule } = parts
  // Fastify's info logs duplicate ours.
  const loggerInstance: FastifyBaseLogger = logger.isLevelEnabled('warn')
    ? logger.child({}, { level: 'warn' })
    : logger
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: limits.httpBodyMaxBytes,
    genReqId: () => newId(),
    // Without a proxy, any client could forge its address with x-forwarded-for.
    trustProxy: env.publicUrl === null ? false : ['loopback', 'linklocal', 'uniquelocal'],
    routerOptions: { maxParamLength: pathParamMaxLength },
    frameworkErrors: (error: FastifyError, request, reply) => void sendError(error, request, reply),
  })
  answerErrors(server)
  acceptJson(server)
  logResponses(server, logger)
  await registerSecurityHeaders(server, env)
  await registerCors(server, originRule)
  redirectLocalhost(server, env)
  await registerRequestLimits(server, parts.redis)
  refuseForeignOrigins(server, originRule)
  refuseNulInUrls(server)
  await server.register(compress, {
    threshold: compressionMinBytes,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  prepareCalls(server, parts.resolveSession)
  return server
}

/** Logs paths without their queries, which hold search terms. */
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
      'Request completed',
    )
  })
}
