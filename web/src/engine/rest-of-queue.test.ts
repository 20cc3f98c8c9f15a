import { AppError } from '@earshot/core/protocol/errors'
import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../testing/contract-network.ts'
import { fetchRestOfQueue } from './rest-of-queue.ts'
import { createRoomStore, update } from './state/room-state.ts'
import { applyDelta, applyQueue } from './state/queue-updates.ts'
import { applySnapshot } from './state/server-updates.ts'
import { emptyRoom, makeQueue, makeSnapshot } from './testing/room-fixtures.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

const whole = makeQueue('b', 'c', 'd')

/** Joins a room with the first entries of a queue of three. `asked`: when the queue was read, ms after the join. */
function join() {
  const asked: number[] = []
  const server = { failures: 0 }
  const store = createRoomStore(emptyRoom())
  onTestFinished(fetchRestOfQueue({ roomId: 'room', store }))
  const joinedAtMs = Date.now()
  answerCalls({
    'GET /api/rooms/:roomId/queue': () => {
      asked.push(Date.now() - joinedAtMs)
      if (server.failures-- > 0) throw new AppError('rate_limited')
      return { queue: whole, version: 1 }
    },
  })
  const snapshot = makeSnapshot({ queue: makeQueue('b', 'c'), queueVersion: 1, queueTotal: 3 })
  update(store, (state) => ({ ...applySnapshot(state, snapshot), phase: 'joined' }))
  const report = (cause: SyncCause) => store.setState({ sync: { errorMs: null, cause } })
  return { store, asked, server, report, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

it('17.494 is read once the current track is loaded here', async () => {
  const { store, asked, report, pass } = join()
  report('buffering')
  await pass(1_000)
  expect(asked).toEqual([])
  report('in_sync')
  await pass(100)
  expect(asked).toEqual([1_000])
  expect(store.getState().confirmed).toMatchObject({ queue: whole, queueVersion: 1, queueTotal: null })
  report('correcting')
  await pass(10_000)
  expect(asked).toHaveLength(1)
})

it('17.494 is read after 5 s where the track is still being loaded', async () => {
  const { asked, report, pass } = join()
  report('buffering')
  await pass(4_900)
  expect(asked).toEqual([])
  await pass(200)
  expect(asked).toEqual([5_000])
})

it('17.494 is read at once where the queue changes', async () => {
  const { store, asked, pass } = join()
  await pass(300)
  const delta = { roomId: 'room', baseVersion: 1, version: 2, parts: [], sequence_number: 0 }
  update(store, (state) => applyDelta(state, delta))
  await pass(10)
  expect(asked).toEqual([300])
})

it('17.494 is read again after 5 s where that failed, unless it has come otherwise', async () => {
  const { store, asked, server, report, pass } = join()
  server.failures = 2
  for (let turn = 0; turn < 36; turn += 1) {
    report('in_sync')
    await pass(250)
  }
  expect(asked).toEqual([0, 5_000])
  update(store, (state) => applyQueue(state, whole, 1))
  await pass(20_000)
  expect(asked).toHaveLength(2)
})
