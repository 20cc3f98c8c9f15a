import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createEventBus } from './events.ts'

const logger = pino({ level: 'silent' })

it('calls listeners at once and in order, and resolves when all are done', async () => {
  const events = createEventBus(logger)
  const done: string[] = []
  let finish = (): void => {}
  events.on('membersChanged', async ({ roomId }) => {
    done.push(`called for ${roomId}`)
    await new Promise<void>((resolve) => (finish = resolve))
    done.push('slow')
  })
  events.on('membersChanged', () => void done.push('fast'))
  const emitted = events.emit('membersChanged', { roomId: 'r' })
  expect(done).toEqual(['called for r', 'fast'])
  finish()
  await emitted
  expect(done).toEqual(['called for r', 'fast', 'slow'])
})

it('a failed listener affects neither the emitter nor the other listeners', async () => {
  const events = createEventBus(logger)
  let calls = 0
  events.on('memberDropped', () => {
    throw new Error('broken')
  })
  events.on('memberDropped', () => Promise.reject(new Error('rejected')))
  events.on('memberDropped', () => void (calls += 1))
  await events.emit('memberDropped', { roomId: 'r' })
  expect(calls).toBe(1)
})
