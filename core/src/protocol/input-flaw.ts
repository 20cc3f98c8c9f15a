import { limits } from '../limits.ts'

/** What is wrong with an input, and where: the path is dotted. */
export interface UnsafeInput {
  path: string
  message: string
}

/**
 * What no input may have, whatever it is for; null where there is nothing of it. Nesting without end, which makes later
 * readers run out of stack, so this one does without recursion; and zero characters, which end a text for some programs,
 * and which PostgreSQL does not store.
 */
export function findUnsafeInput(input: unknown): UnsafeInput | null {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth } = next
    if (hasZero(value)) return { path, message: 'Zero characters are not allowed' }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (depth >= limits.inputMaxDepth) return { path: '', message: 'Nested too deeply' }
    for (const [name, inner] of Object.entries(value)) {
      if (hasZero(name)) return { path, message: 'Zero characters are not allowed' }
      pending.push({ value: inner, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 })
    }
  }
  return null
}

const hasZero = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')
