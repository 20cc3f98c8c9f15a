import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createIncomingEvents } from '../../realtime/server-socket.ts'
import { listenToReactions } from './reactions.ts'
import { wallNow } from '../../wall-clock.ts'

/** The server's clock is an hour ahead of this page's. */
const offsetMs = 3_600_000

function listen() {
  const connection = createIncomingEvents()
  const clock = { clientTimeOf: (serverMs: number) => serverMs - offsetMs }
  const due: { atMs: number; kind: string | undefined }[] = []
  const startedAtMs = wallNow()
  const stop = listenToReactions({ roomId: 'room', connection, clock }, ([item]) => {
    due.push({ atMs: Math.round(wallNow() - startedAtMs), kind: item?.kind })
  })
  onTestFinished(stop)
  const send = (inMs: number, kind = 'love', roomId = 'room') =>
    connection.dispatch('reactions', { roomId, at: wallNow() + offsetMs + inMs, items: [{ kind, count: 1 }] })
  return { due, send, stop }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('17.58a shows reactions at their server time by the measured clock, whenever they arrive', async () => {
  const { due, send } = listen()
  await send(400, 'love')
  await send(200, 'fire')
  await send(-100, 'wow')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(due).toEqual([
    { atMs: 0, kind: 'wow' },
    { atMs: 200, kind: 'fire' },
    { atMs: 400, kind: 'love' },
  ])
})

it('17.58c drops reactions that are late, far ahead, or of another room, and those that wait when it stops', async () => {
  const { due, send, stop } = listen()
  await send(-1_500)
  await send(60_000)
  await send(100, 'love', 'other')
  await send(200)
  stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(due).toEqual([])
})
