import { AppError } from '@earshot/core/protocol/errors'
import { changePasswordSchema, guestSchema, resetPasswordSchema } from '@earshot/core/protocol/validation'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Auth } from '../../auth/auth.ts'
import { authPath, inviteCookie, type Session } from '../../auth/session.ts'
import type { SignUpRule } from '../../accounts/sign-up-rule.ts'
import type { Db } from '../../db/database.ts'
import { isEmailTaken } from '../../db/users.ts'
import type { KnownDevices } from '../../limits/known-devices.ts'
import type { SecurityLog } from '../../ops/security-log.ts'
import { noPasswordText } from './account.ts'
import { forward } from './forward-auth.ts'
import {
  changeEmailBody,
  check,
  checkForm,
  checkSignUp,
  checkUpdateUser,
  requestResetBody,
  revokeSessionBody,
  signInBody,
  signUpChoices,
  socialSignInBody,
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
  /** Runs before the library. @throws AppError to refuse the call */
  prepare?: (parts: AuthCallParts, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Whether the login rate limit counts it. */
  isLogin?: boolean
  /** Whether a signed-in user states their password. */
  statesPassword?: boolean
}

const calls: AuthCall[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Create an account; signs in at once where no mail confirmation is required',
    body: signUpBody,
    check: checkSignUp,
    prepare: checkMaySignUp,
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
  {
    method: 'POST',
    path: '/sign-in/anonymous',
    summary: 'Enter a name as a guest; the answer sets the session cookie',
    body: guestSchema,
    check: (body) => check(guestSchema, body),
  },
  {
    method: 'POST',
    path: '/sign-in/social',
    summary: 'Start to sign in with Google; returns the address to go to',
    body: socialSignInBody,
    check: (body) => check(socialSignInBody, body),
    prepare: rememberInvite,
    isLogin: true,
  },
  { method: 'GET', path: '/get-session', summary: 'The session and its user, or null' },
  { method: 'POST', path: '/sign-out', summary: 'End the session' },
  {
    method: 'POST',
    path: '/update-user',
    summary: "Change the account's name or picture",
    body: updateUserBody,
    check: checkUpdateUser,
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
    statesPassword: true,
    isLogin: true,
  },
  {
    method: 'POST',
    path: '/change-email',
    summary:
      'Change the email address, given the password; by a link sent to the new address where mail is set up',
    body: changeEmailBody,
    check: (body) => check(changeEmailBody, body),
    statesPassword: true,
    prepare: checkEmailChange,
    isLogin: true,
  },
  { method: 'GET', path: '/list-sessions', summary: "List the user's sessions" },
  {
    method: 'POST',
    path: '/revoke-session',
    summary: "End one of the user's sessions",
    body: revokeSessionBody,
    check: (body) => check(revokeSessionBody, body),
  },
  { method: 'POST', path: '/revoke-other-sessions', summary: 'Sign out everywhere else' },
]

interface AuthCallParts {
  db: Db
  auth: Pick<Auth, 'handle' | 'resolveSession' | 'checkPassword'>
  signUpRule: Pick<SignUpRule, 'check'>
  securityLog: SecurityLog
  /** Whether a new address is confirmed by mail. */
  mustConfirm: boolean
  /** Whether browsers reach the server by https only. */
  isSecure: boolean
  knownDevices: KnownDevices
  /** Counts attempts to sign in or up. */
  limitLogins: (request: FastifyRequest) => Promise<undefined>
  /** Counts a statement of a user's password. */
  takePasswordPoint: (userId: string) => Promise<void>
}

/**
 * Serves sign-in (7.9). Input is validated here, so that errors use our codes and texts; the sign-in library does the
 * rest, including all paths not listed above.
 */
export function registerAuthCalls(server: FastifyInstance, parts: AuthCallParts): void {
  const { limitLogins } = parts
  const limitPasswords = async (request: FastifyRequest): Promise<void> => {
    const session = await parts.auth.resolveSession(request.headers.cookie)
    if (session) await parts.takePasswordPoint(session.user.id)
  }
  for (const call of calls) {
    const { method, path, summary, body, check: checkBody = accept, prepare } = call
    server.route({
      method,
      url: authPath + path,
      schema: { tags: ['auth'], summary, ...(body ? { body } : {}) },
      validatorCompiler: () => checkBody,
      preHandler: [...(call.isLogin ? [limitLogins] : []), ...(call.statesPassword ? [limitPasswords] : [])],
      handler: async (request, reply) => {
        await prepare?.(parts, request, reply)
        const ending = path === '/sign-out' ? await parts.auth.resolveSession(request.headers.cookie) : null
        return forward(parts.auth, request, reply, async (status) => {
          if (path === '/sign-in/email') noteSignIn(parts, request, reply, status)
          if (ending) await requireEnd(parts, request, ending)
        })
      },
    })
  }
  server.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    // The library has further paths that take a password.
    preHandler: [limitLogins, limitPasswords],
    handler: async (request, reply) => {
      requirePlainPath(request)
      return forward(parts.auth, request, reply)
    },
  })
}

/**
 * Refuses paths such as `/api/auth/./change-email`: the library resolves them to those listed above, whose checks they would
 * go around. @throws AppError not_found
 */
function requirePlainPath({ url }: FastifyRequest): void {
  const [path] = url.split('?')
  if (URL.parse(url, 'http://localhost')?.pathname !== path) throw new AppError('not_found')
}

/** Remembers the device, or records that the password did not fit. */
function noteSignIn(
  { knownDevices, securityLog }: AuthCallParts,
  { body, ip }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): void {
  if (status === 401) securityLog.record('sign_in_failed', { address: ip })
  if (status === 200) reply.header('set-cookie', knownDevices.remember(signInBody.parse(body).email))
}

/**
 * Checks that the session has ended: the library reports success even if the database failed, and the cookie stays
 * valid.
 */
async function requireEnd(
  { auth }: AuthCallParts,
  { headers }: FastifyRequest,
  { id }: Session,
): Promise<void> {
  const session = await auth.resolveSession(headers.cookie)
  if (session?.id === id) throw new AppError('unavailable')
}

/** Checks the sign-up rule before the library tells whether there is such an account. */
async function checkMaySignUp(
  { auth, signUpRule }: AuthCallParts,
  { body, headers, ip }: FastifyRequest,
): Promise<void> {
  const { invite = null, username = null } = signUpChoices.parse(body)
  const session = await auth.resolveSession(headers.cookie)
  const guestId = session?.user.isGuest ? session.user.id : null
  await signUpRule.check({ invite, username, guestId, address: ip })
}

const inviteCookieS = 600

/** Keeps the invite in a cookie while the user is at Google. */
async function rememberInvite(
  { isSecure }: AuthCallParts,
  { body }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { invite } = socialSignInBody.parse(body)
  if (invite === undefined) return
  const attributes = `Max-Age=${inviteCookieS}; Path=${authPath}; HttpOnly; SameSite=Lax`
  reply.header('set-cookie', `${inviteCookie}=${invite}; ${attributes}${isSecure ? '; Secure' : ''}`)
}

/** An open session alone must not move an account to another address, from which its password can be reset. */
async function checkEmailChange(
  { db, auth, mustConfirm }: AuthCallParts,
  { body, headers }: FastifyRequest,
): Promise<void> {
  const { password, newEmail } = changeEmailBody.parse(body)
  const session = await auth.resolveSession(headers.cookie)
  if (!session) throw new AppError('unauthenticated')
  const outcome = await auth.checkPassword(session.user.id, password)
  if (outcome === 'none') throw new AppError('invalid_input', noPasswordText)
  if (outcome === 'wrong') throw new AppError('wrong_password')
  // With mail, the library answers the same for every address.
  if (!mustConfirm && (await isEmailTaken(db, newEmail))) {
    throw new AppError('invalid_input', validationMessages.emailTaken)
  }
}

const accept = (body: unknown): Checked => ({ value: body })
