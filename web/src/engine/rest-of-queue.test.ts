import { AppError } from '@earshot/core/protocol/errors'
import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../testing/contract-network.ts'
import { fetchRestOfQueue } from './rest-of-queue.ts'
import { createRoomStore, update } from './state/room-state.ts'
import { applyDelta } from './state/queue-updates.ts'
import { applySnapshot } from './state/server-updates.ts'
import { emptyRoom, makeQueue, makeSnapshot, makeState } from './testing/room-fixtures.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const start = { queue: makeQueue('b', 'c'), queueVersion: 1, queueTotal: 3 }
const whole = { queue: makeQueue('b', 'c', 'd'), queueVersion: 1 }

/** Joins a room with the first entries of a queue of three. `asked`: when the queue was read, ms after the join. */
function join(unlistedMembers = 0) {
  const asked: [by: 'http' | 'socket', atMs: number][] = []
  const server = { version: 1, isDown: false }
  const store = createRoomStore(emptyRoom())
  const joinedAtMs = Date.now()
  const note = (by: 'http' | 'socket') => {
    asked.push([by, Date.now() - joinedAtMs])
    if (server.isDown) throw new AppError('rate_limited')
  }
  const call = async (name: string, payload: object) => {
    note('socket')
    expect([name, payload]).toMatchObject(['request_sync', { longQueues: false, brief: true }])
    return { ...whole, state: makeState({}), serverTime: 0 }
  }
  const connection = { call, isConnected: () => true } as never
  const clock = { serverNow: () => 0 } as never
  const stop = fetchRestOfQueue({ roomId: 'room', store, connection, clock })
  onTestFinished(stop)
  answerCalls({
    'GET /api/rooms/:roomId/queue': () => {
      note('http')
      return { queue: whole.queue, version: server.version }
    },
  })
  const joinAgain = (snapshot: object = start) =>
    update(store, (state) => ({
      ...applySnapshot(state, makeSnapshot(snapshot)),
      unlistedMembers,
      phase: 'joined',
    }))
  joinAgain()
  const report = (cause: SyncCause) => store.setState({ sync: { errorMs: null, cause } })
  return {
    store,
    asked,
    server,
    report,
    stop,
    joinAgain,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

it('17.494 is read once the current track is loaded here', async () => {
  const { store, asked, report, pass } = join()
  report('buffering')
  await pass(1_000)
  expect(asked).toEqual([])
  report('in_sync')
  await pass(100)
  expect(asked).toEqual([['http', 1_000]])
  expect(store.getState().confirmed).toMatchObject({ ...whole, queueTotal: null })
  report('correcting')
  await pass(10_000)
  expect(asked).toHaveLength(1)
})

it('17.494 is read after 2 s where the track is still being loaded', async () => {
  const { asked, report, pass } = join()
  for (let turn = 0; turn < 10; turn += 1) {
    report('buffering')
    await pass(250)
  }
  expect(asked).toEqual([['http', 2_000]])
})

it('17.494 is read at once where the queue changes', async () => {
  const { store, asked, pass } = join()
  await pass(300)
  const delta = { roomId: 'room', baseVersion: 1, version: 2, parts: [], sequence_number: 0 }
  update(store, (state) => applyDelta(state, delta))
  await pass(10)
  expect(asked).toEqual([['http', 300]])
})

it('17.494 comes over the connection where HTTP fails, and otherwise is tried again every 5 s', async () => {
  const { store, asked, server, report, pass } = join()
  server.isDown = true
  for (let turn = 0; turn < 38; turn += 1) {
    report('in_sync')
    await pass(250)
  }
  expect(asked).toEqual([
    ['http', 0],
    ['socket', 0],
    ['http', 5_000],
    ['socket', 5_000],
  ])
  answerCalls({
    'GET /api/rooms/:roomId/queue': () => {
      throw new AppError('rate_limited')
    },
  })
  server.isDown = false
  await pass(1_000)
  expect(asked.at(-1)).toEqual(['socket', 10_000])
  expect(store.getState().confirmed).toMatchObject({ ...whole, queueTotal: null })
})

it('17.494 is read again where the answer is older than a queue that a new join has brought', async () => {
  const { store, asked, server, report, joinAgain, pass } = join()
  report('paused')
  joinAgain({ ...start, queueVersion: 2 })
  await pass(4_000)
  expect(store.getState().confirmed).toMatchObject({ queueVersion: 2, queueTotal: 3 })
  server.version = 2
  await pass(2_000)
  expect(asked).toEqual([
    ['http', 0],
    ['http', 5_000],
  ])
  expect(store.getState().confirmed).toMatchObject({ queueVersion: 2, queueTotal: null })
})

it('17.494 is not read any more once the room is left', async () => {
  const { asked, server, report, stop, pass } = join()
  server.isDown = true
  report('paused')
  await pass(100)
  stop()
  await pass(60_000)
  expect(asked).toHaveLength(2)
})

it('17.494 is read by a crowd over 5 s, each at another time', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5)
  const { asked, report, pass } = join(400)
  report('paused')
  await pass(4_000)
  expect(asked).toEqual([['http', 2_500]])
})
