import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

it('runs tasks of one key in order, also after a failed one, and other keys in parallel', async () => {
  const runExclusive = createKeyedMutex()
  const done: string[] = []
  let finishFirst = (): void => {}
  const first = runExclusive('room', async () => {
    await new Promise<void>((resolve) => (finishFirst = resolve))
    done.push('first')
    throw new Error('refused')
  })
  const second = runExclusive('room', async () => done.push('second'))
  await runExclusive('other', async () => done.push('other'))
  expect(done).toEqual(['other'])

  finishFirst()
  await expect(first).rejects.toThrow('refused')
  await second
  expect(done).toEqual(['other', 'first', 'second'])
})
