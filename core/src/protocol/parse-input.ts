import type { z } from 'zod'
import { limits } from '../limits.ts'
import { AppError } from './errors.ts'

/**
 * Checks that input is safe and parses it with a zod schema.
 * @throws AppError invalid_input, with one issue per problem and dotted paths
 */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  assertSafeInput(input)
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw toInputError(
    result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
  )
}

/**
 * Refuses input that is unsafe for any schema: nested too deeply, or with NUL characters.
 * @throws AppError invalid_input
 */
export function assertSafeInput(input: unknown): void {
  const unsafe = findUnsafeInput(input)
  if (unsafe) throw toInputError([unsafe])
}

function toInputError(issues: { path: string; message: string }[]): AppError {
  const first = issues[0]
  const where = first && first.path !== '' ? `${first.path}: ` : ''
  return new AppError('invalid_input', first ? where + first.message : undefined, { issues })
}

/** A reason to refuse an input; the path is dotted. */
interface UnsafeInput {
  path: string
  message: string
}

/**
 * Finds nesting deep enough to overflow recursive parsers (so it does not recurse itself), and NUL characters, which
 * PostgreSQL cannot store and some programs treat as the end of a text. Null for safe input.
 */
export function findUnsafeInput(input: unknown): UnsafeInput | null {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth } = next
    if (hasNul(value)) return { path, message: 'Zero characters are not allowed' }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (depth >= limits.inputMaxDepth) return { path: '', message: 'Nested too deeply' }
    for (const [name, inner] of Object.entries(value)) {
      if (hasNul(name)) return { path, message: 'Zero characters are not allowed' }
      pending.push({ value: inner, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 })
    }
  }
  return null
}

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')
