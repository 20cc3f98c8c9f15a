import { expect, it } from 'vitest'
import { PlayerEvents, type PlayerEvent } from './player.ts'

function open() {
  const events = new PlayerEvents()
  const received: PlayerEvent[] = []
  const unsubscribe = events.subscribe((event) => received.push(event))
  return { events, received, unsubscribe }
}

it('emits each change of the status once', () => {
  const { events, received } = open()
  for (const status of ['idle', 'loading', 'loading', 'ready'] as const) events.setStatus(status)
  expect(received).toEqual([
    { type: 'status', status: 'loading' },
    { type: 'status', status: 'ready' },
  ])
  expect(events.status).toBe('ready')
})

it('emits every refusal of sound, and once that sound is allowed again', () => {
  const { events, received } = open()
  events.unblock()
  events.block()
  events.block()
  expect(events.isBlocked).toBe(true)
  events.unblock()
  events.unblock()
  expect(received.map(({ type }) => type)).toEqual(['blocked', 'blocked', 'unblocked'])
})

it('emits nothing to a former subscriber, and nothing after it was closed', () => {
  const [left, closed] = [open(), open()]
  left.unsubscribe()
  left.events.setStatus('playing')
  closed.events.close()
  closed.events.setStatus('playing')
  expect([left.received, closed.received]).toEqual([[], []])
})
