import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import { signInSchema, signUpSchema } from '@earshot/core/protocol/validation'
import { z } from 'zod'
import { emailName } from '../../auth/new-profile.ts'

const emailMaxLength = 254
const imageMaxLength = 2_000
const nameSchema = z.string().trim().min(1).max(limits.displayNameMaxLength)

const emailFormat = z.email().max(emailMaxLength)

/** 5.1. The other fields are the sign-in library's. */
export const signInBody = signInSchema.loose()

/** 5.1. The name is optional: it is the email's part before the @ sign unless something else is said. */
export const signUpBody = signUpSchema
  .safeExtend({ name: z.string().trim().min(1).max(emailMaxLength).optional() })
  .loose()
  .refine(({ email }) => emailFormat.safeParse(email).success, {
    message: 'Invalid email address',
    path: ['email'],
  })

export const updateUserBody = z.looseObject({
  name: nameSchema.optional(),
  image: z.url().max(imageMaxLength).nullish(),
})

/** What the framework takes from a check. */
export type Checked = { value: unknown } | { error: Error }

/** The message is the rule's alone, without the place: it is shown to people, under the form. */
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

/** A field that is not there is as good as an empty one. */
export function checkForm<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
): { value: Output } | { error: Error } {
  const isForm = typeof input === 'object' && input !== null
  return check(schema, isForm ? { email: '', password: '', ...input } : input)
}

/** An account has a name from the start (7.7); the part of an address can be longer than a name may be. */
export function checkSignUp(input: unknown): Checked {
  const checked = checkForm(signUpBody, input)
  if ('error' in checked) return checked
  const { name = emailName(checked.value.email) } = checked.value
  return { value: { ...checked.value, name: name.slice(0, limits.displayNameMaxLength) } }
}
