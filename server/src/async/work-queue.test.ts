import { describe, expect, it } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('createWorkQueue', () => {
  it('runs a limited number of keys at a time, and no key twice at once', async () => {
    const started: string[] = []
    const finish = new Map<string, () => void>()
    const queue = createWorkQueue(2, (key) => {
      started.push(key)
      return new Promise((resolve) => finish.set(key, resolve))
    })
    for (const key of ['a', 'a', 'b', 'c']) queue.add(key)
    await settle()
    expect(started).toEqual(['a', 'b'])

    finish.get('b')?.()
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])

    finish.get('a')?.()
    await settle()
    expect(started).toEqual(['a', 'b', 'c', 'a'])
    expect(queue.isWorkingOn('a')).toBe(true)

    queue.add('d')
    const closed = queue.close()
    for (const done of finish.values()) done()
    await closed
    expect(started).not.toContain('d')
  })
})
