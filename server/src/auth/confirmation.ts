import type { BetterAuthOptions } from 'better-auth'
import type { createAuthMiddleware } from 'better-auth/api'
import { z } from 'zod'

/**
 * Which accounts must confirm their address before they sign in: those made while mails were sent. The others stay unconfirmed
 * all the same, so that who signs in with Google under such an address does not get somebody else's account (decision 129).
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

/** Lifts the library's rule, which asks all accounts, for the sign-in to one that was made without mails. */
export async function waiveConfirmation({ path, body, context }: HookContext) {
  if (path !== '/sign-in/email' || context.options.emailAndPassword?.requireEmailVerification !== true) return
  const { data } = signInBody.safeParse(body)
  const found = data && (await context.internalAdapter.findUserByEmail(data.email.toLowerCase()))
  if (!found || ('mustConfirm' in found.user && Boolean(found.user.mustConfirm))) return
  return { context: { context: { options: { emailAndPassword: { requireEmailVerification: false } } } } }
}
