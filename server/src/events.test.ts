import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
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

it('docs/architecture.md names the listeners of each event', async () => {
  const listeners: Record<string, string[]> = {}
  for await (const path of glob('**/!(*.test).ts', { cwd: import.meta.dirname })) {
    if (path.includes('testing/')) continue
    const code = await readFile(join(import.meta.dirname, path), 'utf8')
    for (const [, event = ''] of code.matchAll(/events\.on\('(\w+)'/g))
      (listeners[event] ??= []).push(basename(path, '.ts'))
  }
  const page = await readFile(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` \|[^|]+\| (`[^|]+`) \|[^|]+\|$/gm)
  const described = [...rows].map(([, event, names = '']) => [event, names.match(/[\w-]+/g)])
  const found = Object.entries(listeners).map(([event, names]) => [event, names.toSorted()])
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(found))
})
