import type { BetterAuthOptions } from 'better-auth'
import type { createAuthMiddleware } from 'better-auth/api'
import { z } from 'zod'

/**
 * Accounts created while the server sends mail must confirm their address before they sign in. Others need not, but
 * stay unconfirmed, so that a Google sign-in with the same address does not open somebody else's account (decision 129).
 */

/** The columns of a user besides those of the library. */
export const confirmationFields = (mustConfirm: boolean) =>
  ({
    mustConfirm: {
      type: 'boolean',
      required: false,
      input: false,
      returned: false,
      defaultValue: mustConfirm,
    },
  }) satisfies NonNullable<BetterAuthOptions['user']>['additionalFields']

const signInBody = z.object({ email: z.string() })

/** The context of a hook of the sign-in library. */
export type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Skips the sign-in library's confirmation check, which covers all accounts, for one that was created without mail. */
export async function skipConfirmationCheck({ path, body, context }: HookContext) {
  if (path !== '/sign-in/email' || context.options.emailAndPassword?.requireEmailVerification !== true) return
  const { data } = signInBody.safeParse(body)
  const found = data && (await context.internalAdapter.findUserByEmail(data.email.toLowerCase()))
  if (!found || ('mustConfirm' in found.user && Boolean(found.user.mustConfirm))) return
  return { context: { context: { options: { emailAndPassword: { requireEmailVerification: false } } } } }
}
