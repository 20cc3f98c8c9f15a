import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import { isVisible } from '@earshot/core/protocol/text'
import { nameSchema, requestResetSchema, signInSchema, signUpSchema } from '@earshot/core/protocol/validation'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import { z } from 'zod'
import { emailName } from '../../auth/session.ts'

const emailMaxLength = 254
const imageMaxLength = 500

/** For other clients. Only null is taken over: see `withoutImage`. */
const imageSchema = z
  .url({ protocol: /^https?$/ })
  .max(imageMaxLength)
  .nullish()

const emailFormat = z.email().max(emailMaxLength)

const inviteSchema = z.string().regex(/^[\w-]{1,100}$/, 'Invalid invite')

/** Optional fields of a sign-up. */
export const signUpChoices = z.object({ username: z.string().optional(), invite: inviteSchema.optional() })

export const socialSignInBody = z.looseObject({ invite: inviteSchema.optional() })

export const changeEmailBody = z
  .object({ newEmail: z.string().trim(), password: z.string().min(1, validationMessages.passwordRequired) })
  .refine(({ newEmail }) => emailFormat.safeParse(newEmail).success, {
    message: validationMessages.emailInvalid,
    path: ['newEmail'],
  })

export const revokeSessionBody = z.object({ token: z.string().min(1).max(100) })

/** 5.1. Loose, as the sign-in library defines further fields. */
export const signInBody = signInSchema.loose()

/** 5.1. The name defaults to the email's part before the @ sign, and so does the username, the name in the profile. */
export const signUpBody = signUpSchema
  .safeExtend({
    username: nameSchema.optional(),
    invite: inviteSchema.optional(),
    image: imageSchema,
    name: z.string().trim().max(emailMaxLength).refine(isVisible, validationMessages.nameRequired).optional(),
  })
  .loose()
  .refine(({ email }) => emailFormat.safeParse(email).success, {
    message: validationMessages.emailInvalid,
    path: ['email'],
  })

/** Without the library's further field, an address to return to: our mails link to a page of their own. */
export const requestResetBody = requestResetSchema.refine(
  ({ email }) => emailFormat.safeParse(email).success,
  { message: validationMessages.emailInvalid, path: ['email'] },
)

export const updateUserBody = z.looseObject({
  name: nameSchema.optional(),
  image: imageSchema,
})

/** The result of a Fastify validator. */
export type Checked = { value: unknown } | { error: Error }

/** Validates input. The message is the first issue's, without its path, because the form shows it to the user. */
export function check<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
): { value: Output } | { error: Error } {
  try {
    return { value: parseInput(schema, input) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error: new AppError(error.code, error.details.issues?.[0]?.message, error.details) }
  }
}

/** Validates a form: a missing field counts as empty. */
export function checkForm<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
): { value: Output } | { error: Error } {
  const isForm = typeof input === 'object' && input !== null
  return check(schema, isForm ? { email: '', password: '', ...input } : input)
}

/** Validates a sign-up and sets the name (7.7), cut to its maximum: the email's first part can be longer. */
export function checkSignUp(input: unknown): Checked {
  const checked = checkForm(signUpBody, input)
  if ('error' in checked) return checked
  const { name = emailName(checked.value.email) } = checked.value
  return withoutImage({ ...checked.value, name: name.slice(0, limits.displayNameMaxLength) })
}

/** Validates a change of an account. */
export function checkUpdateUser(input: unknown): Checked {
  const checked = check(updateUserBody, input)
  return 'error' in checked ? checked : withoutImage(checked.value)
}

/** Ignores the address of a picture: the browsers of all who see the profile would tell its server that they do. */
function withoutImage<Value extends { image?: unknown }>({ image, ...rest }: Value): Checked {
  return { value: image === null ? { ...rest, image } : rest }
}
