import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import { insertProfile } from '../db/profiles.ts'

/** The part of an address before the @ sign: the name of somebody who has not chosen one. */
export function emailName(email: string): string {
  return email.split('@')[0] || email
}

/** Makes the profile of a new account. A failure is only logged: the account stands without it (8.11). */
export async function makeProfile(
  { db, clock, logger }: { db: Db; clock: Clock; logger: Logger },
  user: { id: string; email: string; image?: string | null },
): Promise<void> {
  const username = emailName(user.email)
  try {
    await insertProfile(db, {
      id: user.id,
      username,
      avatarUrl: user.image ?? null,
      createdAtMs: clock.now(),
    })
  } catch (error) {
    logger.error({ err: error, userId: user.id }, 'The profile of a new account could not be made')
  }
}
