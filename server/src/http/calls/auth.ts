import { AppError, toWireError, type ErrorCode } from '@earshot/core/protocol/errors'
import { changePasswordSchema, resetPasswordSchema } from '@earshot/core/protocol/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import type { Auth } from '../../auth/auth.ts'
import { authPath, clientAddressHeader } from '../../auth/session.ts'
import { createLoginRateLimit } from '../../limits/login-rate-limit.ts'
import { toHeaders } from '../request.ts'
import {
  check,
  checkForm,
  checkSignUp,
  requestResetBody,
  signInBody,
  signUpBody,
  updateUserBody,
  type Checked,
} from './auth-input.ts'

interface AuthCall {
  method: 'GET' | 'POST'
  path: string
  summary: string
  body?: z.ZodType
  /** Turns the body into the library's input, or rejects it. */
  check?: (body: unknown) => Checked
  /** Whether the login rate limit counts it. */
  isLogin?: boolean
}

const calls: AuthCall[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Create an account; signs in at once where no mail confirmation is required',
    body: signUpBody,
    check: checkSignUp,
    isLogin: true,
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Sign in; the answer sets the session cookie',
    body: signInBody,
    check: (body) => checkForm(signInBody, body),
    isLogin: true,
  },
  { method: 'GET', path: '/get-session', summary: 'The session and its user, or null' },
  { method: 'POST', path: '/sign-out', summary: 'End the session' },
  {
    method: 'POST',
    path: '/update-user',
    summary: "Change the account's name or picture",
    body: updateUserBody,
    check: (body) => check(updateUserBody, body),
  },
  {
    method: 'POST',
    path: '/request-password-reset',
    summary: 'Send a mail with a link to set a new password; answers the same without such an account',
    body: requestResetBody,
    check: (body) => checkForm(requestResetBody, body),
    isLogin: true,
  },
  {
    method: 'POST',
    path: '/reset-password',
    summary: 'Set a new password with the token of the mailed link; ends all sessions',
    body: resetPasswordSchema,
    check: (body) => check(resetPasswordSchema, body),
    isLogin: true,
  },
  {
    method: 'POST',
    path: '/change-password',
    summary: 'Change the password; ends all other sessions',
    body: changePasswordSchema,
    check: (body) => check(changePasswordSchema, body),
    isLogin: true,
  },
  { method: 'POST', path: '/revoke-other-sessions', summary: 'Sign out everywhere else' },
]

/**
 * Serves sign-in (7.9). Input is validated here, so that errors use our codes and texts; the sign-in library does the
 * rest, including all paths not listed above.
 */
export function registerAuthCalls(
  server: FastifyInstance,
  auth: Pick<Auth, 'handle'>,
  redis: Redis | null,
): void {
  const limitLogins = createLoginRateLimit(redis)
  for (const { method, path, summary, body, check: checkBody = accept, isLogin } of calls) {
    server.route({
      method,
      url: authPath + path,
      schema: { tags: ['auth'], summary, ...(body ? { body } : {}) },
      validatorCompiler: () => checkBody,
      ...(isLogin ? { preHandler: limitLogins } : {}),
      handler: async (request, reply) => forward(auth, request, reply),
    })
  }
  server.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    // The library may resolve another spelling of a listed path, so the login rate limit applies here too.
    preHandler: limitLogins,
    handler: async (request, reply) => forward(auth, request, reply),
  })
}

const accept = (body: unknown): Checked => ({ value: body })

/** Forwards a parsed request to the sign-in library and sends its response. */
async function forward(
  auth: Pick<Auth, 'handle'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { method, url, body } = request
  const headers = toHeaders(request.headers)
  headers.delete('content-length')
  headers.set(clientAddressHeader, request.ip)
  const hasBody = body !== undefined && body !== null && method !== 'GET' && method !== 'HEAD'
  if (hasBody) headers.set('content-type', 'application/json')

  const response = await auth.handle({
    method,
    path: url,
    headers,
    body: hasBody ? JSON.stringify(body) : null,
  })
  const text = await response.text()
  if (response.status === 404 && text === '') throw new AppError('not_found')
  if (!response.ok && couldNotStore(text)) throw new AppError('unavailable')
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie') reply.header(name, value)
  })
  // `forEach` joins cookies into one line, which browsers cannot parse.
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  return reply.code(response.status).send(response.ok ? text : addWireError(text, response.status))
}

/** The library's errors by their code, where the status does not tell enough. */
const codesOfLibrary: Readonly<Record<string, ErrorCode>> = { INVALID_PASSWORD: 'wrong_password' }

const codesOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  // Such as an account that is not confirmed yet.
  403: 'unauthenticated',
  404: 'not_found',
  422: 'invalid_input',
  429: 'rate_limited',
  500: 'internal',
}

/** Whether the library failed at the database, which it reports as if the input were wrong. */
function couldNotStore(text: string): boolean {
  return /^FAILED_TO_(CREATE|UPDATE)_/.test(String(parseObject(text)?.['code']))
}

/** Adds `error`, as all calls answer it, to an error of the library: `{ code, message }`. */
function addWireError(text: string, status: number): string {
  const body = parseObject(text)
  const code = codesOfLibrary[String(body?.['code'])] ?? codesOfStatus[status]
  if (!body || !code) return text
  const message = typeof body['message'] === 'string' ? body['message'] : undefined
  return JSON.stringify({ ...body, error: toWireError(new AppError(code, message)) })
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
  } catch {
    return null
  }
}
