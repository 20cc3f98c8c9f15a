import { expect, it } from 'vitest'
import type { PlayerEvent } from './player.ts'
import { PlayerSignals } from './player-signals.ts'

function open() {
  const signals = new PlayerSignals()
  const heard: PlayerEvent[] = []
  const unsubscribe = signals.subscribe((event) => heard.push(event))
  return { signals, heard, unsubscribe }
}

it('tells each change of the status once', () => {
  const { signals, heard } = open()
  for (const status of ['idle', 'loading', 'loading', 'ready'] as const) signals.setStatus(status)
  expect(heard).toEqual([
    { type: 'status', status: 'loading' },
    { type: 'status', status: 'ready' },
  ])
  expect(signals.status).toBe('ready')
})

it('tells whenever sound is refused, and once that it is not any more', () => {
  const { signals, heard } = open()
  signals.unblock()
  signals.block()
  signals.block()
  expect(signals.isBlocked).toBe(true)
  signals.unblock()
  signals.unblock()
  expect(heard.map(({ type }) => type)).toEqual(['blocked', 'blocked', 'unblocked'])
})

it('tells nothing to who has left, and nothing to anybody when it is closed', () => {
  const [left, closed] = [open(), open()]
  left.unsubscribe()
  left.signals.setStatus('playing')
  closed.signals.close()
  closed.signals.setStatus('playing')
  expect([left.heard, closed.heard]).toEqual([[], []])
})
