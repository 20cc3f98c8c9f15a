import { describe, expect, it } from 'vitest'
import { deriveId, newId, newSortableId } from './ids.ts'

describe('an id', () => {
  it('is unique, URL-safe and no option of a command', () => {
    const ids = Array.from({ length: 1_000 }, newId)
    expect(new Set(ids).size).toBe(1_000)
    for (const id of ids) expect(id).toMatch(/^\w[\w-]{15}$/)
  })
})

describe('a derived id', () => {
  it('is the same for the same names in their order, and no option of a command', () => {
    expect(deriveId('room', 'user', 'command')).toBe(deriveId('room', 'user', 'command'))
    expect(deriveId('room', 'command', 'user')).not.toBe(deriveId('room', 'user', 'command'))
    const ids = Array.from({ length: 1_000 }, (_, index) => deriveId('room', String(index)))
    expect(new Set(ids).size).toBe(1_000)
    for (const id of ids) expect(id).toMatch(/^\w[\w-]{21}$/)
  })
})

describe('a sortable id', () => {
  const startMs = Date.now() + 1_000_000

  it('sorts by its time', () => {
    const ids = [0, 1, 1_000, 86_400_000, 40 * 365 * 86_400_000].map((ms) => newSortableId(startMs + ms))
    expect(ids.toSorted()).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^[\da-z]{18}$/)
  })

  it('increases within one millisecond, also when the counter overflows', () => {
    const ids = Array.from({ length: 50_000 }, () => newSortableId(startMs * 2))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(50_000)
  })

  it('increases after the clock was set back', () => {
    const before = newSortableId(startMs * 3)
    expect(newSortableId(startMs) > before).toBe(true)
  })
})
