import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { createSyncChanges } from './sync-changes.ts'
import { serverLimits } from '../server-limits.ts'

const inSync = (errorMs: number | null) => ({ errorMs, uncertaintyMs: 4, cause: 'in_sync' as const })
const status = (members: Record<string, ReturnType<typeof inSync>>, p95Ms = 5) => ({
  members,
  p50Ms: 4,
  p95Ms,
})

it('16.82 only members whose figure changed notably are sent, and nothing where none did', () => {
  const changes = createSyncChanges(createFakeClock())
  const first = status({ ann: inSync(0.5), ben: inSync(-1) })
  expect(changes.next('r', first)).toEqual(first)
  expect(changes.next('r', status({ ann: inSync(0.9), ben: inSync(-0.6) }))).toBeNull()
  expect(changes.next('r', status({ ann: inSync(3), ben: inSync(-1) }))).toEqual(status({ ann: inSync(3) }))
  expect(changes.next('r', status({ ann: inSync(3), ben: inSync(-1) }, 40))).toEqual(status({}, 40))
  expect(changes.next('r', status({ ann: inSync(null), ben: inSync(-1) }, 40))).toEqual(
    status({ ann: inSync(null) }, 40),
  )
})

it('16.82 many small changes in one direction add up until they are sent', () => {
  const changes = createSyncChanges(createFakeClock())
  const sent = Array.from({ length: 20 }, (_, index) => changes.next('r', status({ ann: inSync(index / 2) })))
  const last = sent.findLast((change) => change !== null)
  expect(sent.filter((change) => change !== null).length).toBeLessThan(10)
  expect(last?.members.ann?.errorMs).toBeGreaterThan(7)
})

it('16.82 who reports no more is sent as null, and who joins gets all that is known', () => {
  const clock = createFakeClock()
  const changes = createSyncChanges(clock)
  expect(changes.latest('r')).toBeNull()
  changes.next('r', status({ ann: inSync(1), ben: inSync(2) }))
  expect(changes.next('r', status({ ben: inSync(2) }))?.members).toEqual({ ann: null })
  const whole = changes.latest('r')
  expect(whole).toEqual({ roomId: 'r', ...status({ ben: inSync(2) }), isWhole: true })
  // 16.299: of the same object, which is encoded once.
  expect(changes.latest('r')).toBe(whole)
  changes.next('r', status({ ben: inSync(9) }))
  expect(changes.latest('r')).toEqual({ ...whole, members: { ben: inSync(9) } })
  expect(whole?.members).toEqual({ ben: inSync(2) })
  clock.advance(2 * serverLimits.syncReportKeepMs + 1)
  changes.dropOld()
  expect(changes.latest('r')).toBeNull()
})

it('16.116 a figure that moves a little and back is not sent, one that stays there is', () => {
  const changes = createSyncChanges(createFakeClock())
  changes.next('r', status({ ann: inSync(1) }))
  expect(changes.next('r', status({ ann: inSync(2.5) }))).toBeNull()
  expect(changes.next('r', status({ ann: inSync(1) }))).toBeNull()
  expect(changes.next('r', status({ ann: inSync(2.5) }, 6.4))).toBeNull()
  expect(changes.next('r', status({ ann: inSync(2.6) }, 5))?.members).toEqual({ ann: inSync(2.6) })
  expect(changes.next('r', status({ ann: inSync(2.6) }, 6.4))).toBeNull()
  expect(changes.next('r', status({ ann: inSync(2.6) }, 6.4))?.p95Ms).toBe(6.4)
})
