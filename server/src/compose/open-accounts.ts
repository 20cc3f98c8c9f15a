import { hourMs } from '@earshot/core/clock'
import type { FastifyInstance } from 'fastify'
import { createAdminCode } from '../accounts/admin-code.ts'
import { createProfilePictures } from '../accounts/profile-pictures.ts'
import { createSignUpRule, type SignUpRule } from '../accounts/sign-up-rule.ts'
import { type Auth, createAuth } from '../auth/auth.ts'
import { type SessionKeyOf, createSessionKeys } from '../auth/session-key.ts'
import type { Env } from '../env/env.ts'
import { registerAccountCalls } from '../http/calls/account.ts'
import { registerAdminAccessCalls } from '../http/calls/admin-access.ts'
import { type AdminServerParts, registerAdminServerCalls } from '../http/calls/admin-server.ts'
import { registerAdminUserCalls } from '../http/calls/admin-users.ts'
import { registerAuthCalls } from '../http/calls/auth.ts'
import { registerProfileCalls } from '../http/calls/profile.ts'
import type { OriginRule } from '../http/origin.ts'
import { isAlwaysSecure } from '../http/security-headers.ts'
import { createKnownDevices, type KnownDevices } from '../limits/known-devices.ts'
import {
  createGuestRateLimit,
  createLoginRateLimit,
  createPasswordLimit,
} from '../limits/login-rate-limit.ts'
import { createMailRateLimit } from '../limits/mail-rate-limit.ts'
import { createMailer } from '../mail/mailer.ts'
import { createServerFigures } from '../ops/server-figures.ts'
import { startOutsideChanges } from '../realtime/outside-changes.ts'
import type { RoomServer } from '../realtime/room-sockets.ts'
import type { ListeningTimeCounter } from '../rooms/listening-time.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Base } from './base.ts'
import { serverLimits } from '../server-limits.ts'

interface Accounts {
  auth: Auth
  sessionKeyOf: SessionKeyOf
  signUpRule: SignUpRule
  knownDevices: KnownDevices
}

/** Builds sign-in, and who may sign up. */
export function openAccounts(
  { env, db, clock, logger, events, redisCommands, securityLog, closers }: Base,
  { secret, originRule }: { secret: string; originRule: OriginRule },
): Accounts {
  const signUpRule = createSignUpRule({
    db,
    clock,
    mode: env.signUp,
    perHour: env.signUpsPerHour,
    securityLog,
    redis: redisCommands,
  })
  const auth = createAuth({
    db,
    clock,
    logger,
    events,
    secret,
    mailer: createMailer({ ...env, logger }),
    mustConfirm: env.smtpUrl !== null,
    isSecure: isAlwaysSecure(env),
    google: env.google,
    isOriginAllowed: originRule.isAllowed,
    takeGuestPoint: createGuestRateLimit(redisCommands, env.guestsPerAddress),
    takeMailPoint: createMailRateLimit(redisCommands),
    signUpRule,
    securityLog,
  })
  closers.push(() => auth.close())
  const knownDevices = createKnownDevices(secret, isAlwaysSecure(env))
  return { auth, sessionKeyOf: createSessionKeys(secret), signUpRule, knownDevices }
}

interface AccountCallParts extends Accounts {
  rooms: Rooms
  library: AdminServerParts['library']
  io: RoomServer
  version: string
  readStats: ListeningTimeCounter['readStats']
  /** The address of the server for browsers. */
  origin: () => string
}

/** Serves accounts, profiles and the administration. */
export function registerAccounts(base: Base, server: FastifyInstance, parts: AccountCallParts): void {
  const { env, db, clock, logger, events, redisCommands: redis, securityLog, closers } = base
  const { auth, signUpRule, knownDevices, rooms, library, io, version, readStats, origin } = parts
  const { checkPassword, createResetLink } = auth
  const takePasswordPoint = createPasswordLimit(redis)
  registerAuthCalls(server, {
    db,
    auth,
    signUpRule,
    securityLog,
    mustConfirm: env.smtpUrl !== null,
    isSecure: isAlwaysSecure(env),
    knownDevices,
    limitLogins: createLoginRateLimit(redis, knownDevices, env.addressScale),
    takePasswordPoint,
  })
  registerAccountCalls(server, { ...rooms, logger, events, checkPassword, takePasswordPoint })
  const pictures = createProfilePictures({ db, events })
  closers.push(() => pictures.close())
  const limiter = rooms.limiters.profileChanges
  registerProfileCalls(server, { db, clock, events, pictures, limiter, readStats })
  registerAdminAccessCalls(server, { db, clock, securityLog, redis })
  const admin = { db, clock, securityLog, limiter: rooms.limiters.admin }
  const { membership } = rooms
  registerAdminUserCalls(server, { ...admin, events, logger, membership, createResetLink, origin })
  const socketCount = (): number => io.sockets.sockets.size
  const readFigures = createServerFigures({ db, dataDir: env.dataDir, version, socketCount })
  registerAdminServerCalls(server, { ...admin, events, membership, library, readFigures })
  closers.push(startOutsideChanges({ io, db, clock, logger, events, membership }))
}

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost'])

const signUpTexts: Record<Env['signUp'], string> = {
  open: 'Everybody who reaches this server may sign up. To change that, set SIGN_UP=invite or SIGN_UP=closed',
  invite:
    'Sign-up is by invitation: npm run admin -- invite. To change that, set SIGN_UP=open or SIGN_UP=closed',
  closed: 'Nobody may sign up. To change that, set SIGN_UP=invite or SIGN_UP=open',
}

/**
 * Logs who may sign up, and the code that makes the first administrator where there is none. Never rejects: a server whose
 * database cannot be written has to start.
 */
export async function announceAccess({ env, db, clock, logger }: Base): Promise<void> {
  const isReachable = !loopbackHosts.has(env.host) || env.publicUrl !== null
  if (isReachable) logger.info({ signUp: env.signUp }, signUpTexts[env.signUp])
  try {
    const code = await createAdminCode({ db, clock })
    const hours = serverLimits.adminCodeMs / hourMs
    const text = `There is no administrator yet. Sign in, open /admin and enter the code ${code} within ${hours} h`
    if (code !== null) logger.info({ code }, text)
  } catch (error) {
    const message = 'Could not create the code of the first administrator; npm run admin -- code creates one'
    logger.error({ err: error }, message)
  }
}
