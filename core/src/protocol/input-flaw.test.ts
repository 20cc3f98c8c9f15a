import { describe, expect, it } from 'vitest'
import { findUnsafeInput } from './input-flaw.ts'

const nest = (depth: number): unknown => {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

describe('what no input may have', () => {
  it('is nothing of an ordinary one', () => {
    for (const input of [undefined, null, 7, 'a\nb\u0001', { roomId: 'r', nested: [{ a: null }] }]) {
      expect(findUnsafeInput(input)).toBeNull()
    }
  })

  it('7.23c is a zero character, in texts and in names, and it is said where', () => {
    const message = 'Zero characters are not allowed'
    expect(findUnsafeInput('a\0')).toEqual({ path: '', message })
    expect(findUnsafeInput({ message: { content: 'a\0b' } })).toEqual({ path: 'message.content', message })
    expect(findUnsafeInput({ queue: [{ id: 'a' }, { id: '\0' }] })).toEqual({ path: 'queue.1.id', message })
    expect(findUnsafeInput({ state: { 'a\0': 1 } })).toEqual({ path: 'state', message })
  })

  it('7.23c is nesting so deep that later readers could run out of stack', () => {
    expect(findUnsafeInput(nest(32))).toBeNull()
    for (const depth of [33, 100_000]) expect(findUnsafeInput(nest(depth))?.message).toBe('Nested too deeply')
  })
})
