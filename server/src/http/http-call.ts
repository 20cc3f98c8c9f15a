import { AppError, wireErrorSchema } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import type { HttpCall } from '@earshot/core/protocol/http-api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createMismatchLog } from '../auth/identity-mismatch.ts'
import type { ResolveSession, Session } from '../auth/session.ts'
import { reduceTo } from './answer-fields.ts'
import { isApiCall } from './request.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves the session of a request; decorated once by `prepareCalls`. */
    resolveSession: ResolveSession
  }
  interface FastifyRequest {
    session: Session | null
  }
}

type Part<Call extends HttpCall, Name extends 'params' | 'query' | 'body'> =
  Call extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

/** The validated input of a call's handler. The session is present where the call requires one. */
export interface CallRequest<Call extends HttpCall> {
  params: Part<Call, 'params'>
  query: Part<Call, 'query'>
  body: Part<Call, 'body'>
  session: Call['signedIn'] extends true ? Session : Session | null
  /** The client's address. */
  ip: string
}

export type CallHandler<Call extends HttpCall> = (
  request: CallRequest<Call>,
) => Promise<z.input<Call['response']>>

export const errorBodySchema = z.object({ error: wireErrorSchema })

/**
 * Serves one call of the contract: resolves the session, rejects unauthenticated requests where the call requires a
 * session, validates every part, and sends the handler's result, reduced to the fields of the contract. An AppError
 * becomes `{ error: WireError }` with the status of its code. The call appears in the OpenAPI document.
 */
export function registerCall<const Call extends HttpCall>(
  server: FastifyInstance,
  call: Call,
  handle: CallHandler<Call>,
): void {
  server.route({
    method: call.method,
    url: call.path,
    schema: {
      summary: call.summary,
      tags: [tagOf(call)],
      ...(call.signedIn ? { security: [{ session: [] }] } : {}),
      ...(call.params ? { params: call.params } : {}),
      ...(call.query ? { querystring: call.query } : {}),
      ...(call.body ? { body: call.body } : {}),
      response: { 200: call.response, default: errorBodySchema },
    },
    // Before the body is read, so that unauthenticated ones cost nothing.
    preParsing: async (request) => authenticate(server, call, request),
    handler: async (request, reply) => {
      if (call.noStore) reply.header('cache-control', 'no-store')
      return handle(toCallRequest(request))
    },
  })
}

/** Sets up sessions, validation and serialisation for `registerCall`. */
export function prepareCalls(server: FastifyInstance, resolveSession: ResolveSession): void {
  server.decorate('resolveSession', resolveSession)
  server.decorateRequest('session', null)
  const logMismatch = createMismatchLog(server.log)
  // Before the validation, which drops such fields.
  server.addHook('preValidation', async ({ body, session }) => {
    if (session) logMismatch(body, session.user.id)
  })
  // Answers depend on the cookie: no shared cache may keep them, and a browser asks whether its copy is current.
  server.addHook('onRequest', async (request, reply) => {
    if (isApiCall(request)) reply.header('cache-control', 'private, no-cache')
  })
  server.setValidatorCompiler(
    ({ schema }) =>
      (input) =>
        validate(schema, input ?? {}),
  )
  server.setSerializerCompiler(({ schema }) => {
    if (!(schema instanceof z.ZodType)) throw new TypeError('A call needs zod schemas')
    const reduce = reduceTo(schema)
    return (answer) => JSON.stringify(reduce(answer))
  })
}

/** The cast holds: the call's schemas validated the parts, and `authenticate` the session. */
function toCallRequest<Call extends HttpCall>(request: FastifyRequest): CallRequest<Call> {
  const { params, query, body, session, ip } = request
  return { params, query, body, session, ip } as CallRequest<Call>
}

async function authenticate(
  server: FastifyInstance,
  call: HttpCall,
  request: FastifyRequest,
): Promise<undefined> {
  request.session = await server.resolveSession(request.headers.cookie)
  if (call.signedIn && !request.session) throw new AppError('unauthenticated', call.signedOutMessage)
  if (call.needsAccount && request.session?.user.isGuest) throw new AppError('account_required')
}

function validate(schema: unknown, input: unknown): { value: unknown } | { error: Error } {
  if (!(schema instanceof z.ZodType)) throw new TypeError('A call needs zod schemas')
  try {
    return { value: parseInput(schema, input) }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

/** Groups calls by resource in the OpenAPI document: `/api/rooms/:roomId/queue` is under `rooms`. */
function tagOf(call: HttpCall): string {
  return call.path.split('/')[2] ?? 'api'
}
