import { createAuthMiddleware } from 'better-auth/api'
import type { Db } from '../db/database.ts'
import { skipConfirmationCheck } from './confirmation.ts'
import { rememberConfirmingDevice, signInConfirmingDevice } from './confirming-device.ts'
import { endOtherAccess, requireOwnSession } from './credential-changes.ts'

/** Returns what runs before and after each call of the sign-in library, which takes one hook of either kind. */
export function callHooks(db: Db) {
  return {
    before: createAuthMiddleware(async (context) => {
      await requireOwnSession(context)
      return (await signInConfirmingDevice(context)) ?? skipConfirmationCheck(context)
    }),
    after: createAuthMiddleware(async (context) => {
      await rememberConfirmingDevice(context)
      await endOtherAccess(db, context)
    }),
  }
}
