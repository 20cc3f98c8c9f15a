import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { countValues, findUnsafeInput, parseInput } from './parse-input.ts'

const nest = (depth: number): unknown => {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

it.each([
  ['', 1],
  ['"text"', 1],
  ['{"a":1}', 2],
  ['[[],{},[1,"b"]]', 5],
  ['"in, a {text}"', 3],
  [`${'['.repeat(80)}${']'.repeat(80)}`, 11],
])('15.93 counts the values of %s', (json, count) => {
  expect(countValues(json)).toBe(count)
})

describe('unsafe input', () => {
  it('is not found in ordinary input', () => {
    for (const input of [undefined, null, 7, 'a\nb\u0001', { roomId: 'r', nested: [{ a: null }] }]) {
      expect(findUnsafeInput(input)).toBeNull()
    }
  })

  it('7.23c is a NUL character in a text or name, reported with its path', () => {
    const message = 'Zero characters are not allowed'
    expect(findUnsafeInput('a\0')).toEqual({ path: '', message })
    expect(findUnsafeInput({ message: { content: 'a\0b' } })).toEqual({ path: 'message.content', message })
    expect(findUnsafeInput({ queue: [{ id: 'a' }, { id: '\0' }] })).toEqual({ path: 'queue.1.id', message })
    expect(findUnsafeInput({ state: { 'a\0': 1 } })).toEqual({ path: 'state', message })
  })

  it('7.23c is nesting deep enough to overflow recursive parsers', () => {
    expect(findUnsafeInput(nest(32))).toBeNull()
    for (const depth of [33, 100_000]) expect(findUnsafeInput(nest(depth))?.message).toBe('Nested too deeply')
  })
})

describe('parsing input', () => {
  const schema = z.object({
    room: z.object({ name: z.string().min(1, 'Room name required') }),
    size: z.number(),
  })

  it('7.23c returns valid input without unknown fields', () => {
    const input = { room: { name: 'A' }, size: 1, extra: true }
    expect(parseInput(schema, input)).toEqual({ room: { name: 'A' }, size: 1 })
  })

  it('7.23c refuses invalid input with one issue per problem and its path', () => {
    const refused = (() => {
      try {
        return parseInput(schema, { room: { name: '' }, size: 'big' })
      } catch (error) {
        return error as AppError
      }
    })()
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({ code: 'invalid_input', message: 'Room name required' })
    expect((refused as AppError).details.issues).toEqual([
      { path: 'room.name', message: 'Room name required' },
      { path: 'size', message: expect.any(String) },
    ])
  })

  it.each([undefined, null, 7, 'text', []])('7.23c refuses %j instead of an object', (input) => {
    expect(() => parseInput(schema, input)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })
})
