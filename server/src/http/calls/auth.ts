import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import { authPath } from '../../auth/auth-path.ts'
import { forwardToAuth, type AuthGate } from './auth-gate.ts'
import {
  check,
  checkForm,
  checkSignUp,
  signInBody,
  signUpBody,
  updateUserBody,
  type Checked,
} from './auth-input.ts'
import { createLoginRateLimit } from '../../limits/login-rate-limit.ts'

interface AuthCall {
  method: 'GET' | 'POST'
  path: string
  summary: string
  body?: z.ZodType
  /** Makes of the body what the library gets, or says what is wrong with it. */
  check?: (body: unknown) => Checked
  /** Whether it is worth guessing. */
  isTry?: boolean
}

const calls: AuthCall[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Make an account, and sign in where it works at once',
    body: signUpBody,
    check: checkSignUp,
    isTry: true,
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Sign in; the answer sets the session cookie',
    body: signInBody,
    check: (body) => checkForm(signInBody, body),
    isTry: true,
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
]

/**
 * The authentication service (7.9). What our rules say of the input is checked here, so that it is refused in our
 * words; everything else is the sign-in library's, its further paths included.
 */
export function registerAuthRoutes(server: FastifyInstance, gate: AuthGate, redis: Redis | null): void {
  const limitAttempts = createLoginRateLimit(redis)
  for (const { method, path, summary, body, check: checkBody = accept, isTry } of calls) {
    server.route({
      method,
      url: authPath + path,
      schema: { tags: ['auth'], summary, ...(body ? { body } : {}) },
      validatorCompiler: () => checkBody,
      ...(isTry ? { preHandler: limitAttempts } : {}),
      handler: async (request, reply) => forwardToAuth(gate, request, reply),
    })
  }
  server.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    // The library may find its own way to a call of the list, spelled otherwise: tries count there too.
    preHandler: limitAttempts,
    handler: async (request, reply) => forwardToAuth(gate, request, reply),
  })
}

const accept = (body: unknown): Checked => ({ value: body })
