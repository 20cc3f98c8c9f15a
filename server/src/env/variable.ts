import { z } from 'zod'

/** Describes a variable; `allowed` completes the error message. An empty value counts as not given. */
export function variable<Schema extends z.ZodType>(schema: Schema, allowed: string) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).describe(allowed)
}

/** Describes a variable that is a whole number. `meaning` completes the error message after the range. */
export function wholeNumber(lowest: number, highest: number, meaning = '') {
  return variable(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .pipe(z.number().min(lowest).max(highest)),
    `a whole number from ${lowest} to ${highest}${meaning}`,
  )
}
