import { describe, expect, it } from 'vitest'
import { createLanes } from './keyed-mutex.ts'
import { createWorkQueue } from './work-queue.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('createWorkQueue', () => {
  it('works on a few keys at a time, and on each key never twice at once', async () => {
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

describe('createLanes', () => {
  it('runs tasks of one key in order, also after one that failed, and other keys beside them', async () => {
    const runInLane = createLanes()
    const done: string[] = []
    let finishFirst = (): void => {}
    const first = runInLane('room', async () => {
      await new Promise<void>((resolve) => (finishFirst = resolve))
      done.push('first')
      throw new Error('refused')
    })
    const second = runInLane('room', async () => done.push('second'))
    await runInLane('other', async () => done.push('other'))
    expect(done).toEqual(['other'])

    finishFirst()
    await expect(first).rejects.toThrow('refused')
    await second
    expect(done).toEqual(['other', 'first', 'second'])
  })
})
