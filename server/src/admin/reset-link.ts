import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { openAuthLibrary } from '../auth/auth-library.ts'
import type { Db } from '../db/database.ts'
import type { Env } from '../env/env.ts'
import { createEventBus } from '../events.ts'
import { isAlwaysSecure } from '../http/security-headers.ts'
import { loadSecret } from '../secret.ts'
import { publicUrlOf } from './links.ts'

/** Creates a link that sets a new password, with the sign-in library as the server sets it up. Nobody signs in here. */
export async function createResetLink(
  parts: { env: Env; db: Db; clock: Clock; logger: Logger },
  userId: string,
): Promise<{ link: string; expiresAt: number }> {
  const { env, logger } = parts
  const library = openAuthLibrary({
    ...parts,
    events: createEventBus(logger),
    secret: await loadSecret(env.secret, env.dataDir),
    publicUrl: publicUrlOf(env),
    mailer: { send: async () => undefined },
    mustConfirm: false,
    isSecure: isAlwaysSecure(env),
    google: null,
    isOriginAllowed: () => false,
    takeGuestPoint: refuse,
    takeMailPoint: async () => undefined,
    signUpRule: { check: refuse, admit: refuse },
    securityLog: { record: () => undefined },
  })
  try {
    return await library.createResetLink(userId)
  } finally {
    await library.close()
  }
}

async function refuse(): Promise<never> {
  throw new Error('Accounts are created by the server only')
}
