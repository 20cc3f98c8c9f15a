import type { z } from 'zod'
import { limits } from '../limits.ts'
import { AppError } from './errors.ts'
import { validationMessages } from './validation-messages.ts'

const ownMessages = new Set<string>(Object.values(validationMessages))

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
 * Counts the values of a JSON text by its separators and opening braces, also those inside of texts: they, and not
 * its bytes, are what parsing and checking it costs. Lists without separators, which cost less, count by eights.
 */
export function countValues(json: string): number {
  let [values, lists] = [1, 0]
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === comma || code === openingBrace) values += 1
    else if (code === openingBracket) lists += 1
  }
  return values + Math.floor(lists / 8)
}

const [comma, openingBracket, openingBrace] = [0x2c, 0x5b, 0x7b]

/**
 * Refuses input that is unsafe for any schema: nested too deeply, or with NUL characters.
 * @throws AppError invalid_input
 */
export function assertSafeInput(input: unknown): void {
  const unsafe = findUnsafeInput(input)
  if (unsafe) throw toInputError([unsafe])
}

/** Our own messages are whole sentences; those of the schemas need the path. */
function toInputError(issues: { path: string; message: string }[]): AppError {
  const first = issues[0]
  const where = first && first.path !== '' && !ownMessages.has(first.message) ? `${first.path}: ` : ''
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
  if (hasNul(input)) return nulIssue('')
  let level: Container[] = isContainer(input) ? [{ value: input, parent: null, name: '' }] : []
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limits.inputMaxDepth) return { path: '', message: 'Nested too deeply' }
    const next: Container[] = []
    for (const container of level) {
      const { value } = container
      const names = Array.isArray(value) ? null : Object.keys(value)
      if (names?.some(hasNul)) return nulIssue(pathOf(container))
      const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
      for (const [index, inner] of values.entries()) {
        if (!hasNul(inner) && !isContainer(inner)) continue
        const found = { value: inner, parent: container, name: names?.[index] ?? String(index) }
        if (!isContainer(inner)) return nulIssue(pathOf(found))
        next.push({ ...found, value: inner })
      }
    }
    level = next
  }
  return null
}

/** An object or a list in an input. Its path is put together where it is needed: a list of 512 kB has 260,000 values. */
interface Container {
  value: object
  parent: Container | null
  /** In its parent. */
  name: string
}

function pathOf({ name, parent }: Pick<Container, 'name' | 'parent'>): string {
  if (!parent) return name
  const path = pathOf(parent)
  return path === '' ? name : `${path}.${name}`
}

const nulIssue = (path: string): UnsafeInput => ({ path, message: 'Zero characters are not allowed' })

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')
