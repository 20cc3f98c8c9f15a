import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { reactionKinds } from '@earshot/core/protocol/wire-constants'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createEventBus, type BusEvents } from '../events.ts'
import { createReactions, reactionLeadMs } from './reactions.ts'
import { serverLimits } from '../server-limits.ts'
import { noSyncReports } from './testing/fixtures.ts'

function openReactions() {
  const clock = createFakeClock(1_000_000)
  const events = createEventBus(pino({ level: 'silent' }))
  const sent: (BusEvents['reactionsCounted'] & { sentAtMs: number })[] = []
  events.on('reactionsCounted', (batch) => void sent.push({ ...batch, sentAtMs: clock.now() }))
  return { clock, sent, reactions: createReactions({ clock, events, syncReports: noSyncReports }) }
}

it('17.58a sends the first reaction at once, and shows it a lead later', () => {
  const { clock, sent, reactions } = openReactions()
  reactions.add('r1', 'love')
  const nowMs = clock.now()
  const at = nowMs + serverLimits.reactionLeadMinMs
  expect(sent).toEqual([{ roomId: 'r1', at, items: [{ kind: 'love', count: 1 }], sentAtMs: nowMs }])
})

it('17.58b sends at most one batch per 100 ms and room, with a count for each kind', () => {
  const { clock, sent, reactions } = openReactions()
  for (let ms = 0; ms < 1_000; ms++) {
    for (const kind of reactionKinds) reactions.add('r1', kind)
    clock.advance(1)
  }
  clock.advance(serverLimits.reactionBatchMs)
  expect(sent.length).toBeLessThanOrEqual(11)
  const gaps = sent.slice(1).map((batch, index) => batch.sentAtMs - sent[index]!.sentAtMs)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(serverLimits.reactionBatchMs)
  expect(Math.max(...sent.map(({ items }) => items.length))).toBe(reactionKinds.length)
  const total = sent.flatMap(({ items }) => items).reduce((sum, { count }) => sum + count, 0)
  expect(total).toBe(6_000)
})

it('17.58b counts each room by itself, and keeps nothing of a quiet room', () => {
  const { clock, sent, reactions } = openReactions()
  reactions.add('r1', 'love')
  reactions.add('r2', 'fire')
  expect(sent.map(({ roomId }) => roomId)).toEqual(['r1', 'r2'])
  clock.advance(serverLimits.reactionBatchMs)
  reactions.add('r1', 'wow')
  expect(sent).toHaveLength(3)
})

it('sends nothing after closing', () => {
  const { clock, sent, reactions } = openReactions()
  reactions.add('r1', 'love')
  reactions.add('r1', 'love')
  reactions.close()
  clock.advance(1_000)
  expect(sent).toHaveLength(1)
})

it('17.58a waits for slow connections, within bounds', () => {
  expect(reactionLeadMs([20, 30])).toBe(serverLimits.reactionLeadMinMs)
  expect(reactionLeadMs([20, 450])).toBe(450)
  expect(reactionLeadMs([9_000])).toBe(serverLimits.reactionLeadMaxMs)
})
