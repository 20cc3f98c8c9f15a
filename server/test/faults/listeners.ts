import { setTimeout as delay } from 'node:timers/promises'
import type { PlaybackState } from '@earshot/core/protocol/entities'
import pLimit from 'p-limit'
import { expect, vi } from 'vitest'
import type { TestUser } from '../apps.ts'
import { type TestClient, connect } from '../sockets.ts'

/** A listener as the page is one: joins the room whenever it connects, and plays by its schedule meanwhile. */
export interface Listener {
  client: TestClient
  /** The states that it was sent, in order. */
  states: PlaybackState[]
  /** How long it was out of the room each time, ms. The latest one may last. */
  outagesMs: number[]
  isThere(): boolean
}

const retryMs = 300
const connectAttempts = 5

/** Connects a listener, with reconnection, and resolves when it has joined. */
export async function listen(address: string, user: TestUser, roomId: string): Promise<Listener> {
  const states: PlaybackState[] = []
  const outagesMs: number[] = []
  let leftAtMs: number | null = performance.now()
  const options = { reconnection: true, reconnectionDelay: 200, reconnectionDelayMax: 1_000 }
  const client = await connectPatiently(address, user, options)
  const { socket } = client

  const join = async (): Promise<void> => {
    const { id } = socket
    for (; id !== undefined && id === socket.id; await delay(retryMs)) {
      const joined = await client.ask('join_room', { roomId, queueDeltas: true }).catch(() => null)
      if (!joined) continue
      states.push(joined.state)
      if (leftAtMs !== null) outagesMs.push(performance.now() - leftAtMs)
      leftAtMs = null
      return
    }
  }
  socket.on('connect', () => void join())
  socket.on('disconnect', () => (leftAtMs ??= performance.now()))
  socket.on('playback_updated', ({ state }: { state: PlaybackState }) => states.push(state))
  await join()
  outagesMs.length = 0
  return { client, states, outagesMs, isThere: () => leftAtMs === null }
}

/** Tries again where a busy machine has let the balancer think that no process is ready. */
async function connectPatiently(
  address: string,
  user: TestUser,
  options: Parameters<typeof connect>[2],
): Promise<TestClient> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect({ address, atEnd: () => {} }, user, options)
    } catch (error) {
      if (attempt === connectAttempts) throw error
      await delay(retryMs)
    }
  }
}

/** Connects listeners, a few at a time. */
export async function listenAll(address: string, users: TestUser[], roomId: string): Promise<Listener[]> {
  const limit = pLimit(10)
  return await limit.map(users, (user) => listen(address, user, roomId))
}

/** Starts the room's track, and resolves when it plays. */
export async function startPlaying(owner: TestClient, roomId: string): Promise<void> {
  await owner.ask('direct_command', { roomId, command: 'play' })
  await vi.waitFor(
    async () => expect((await owner.ask('request_sync', { roomId })).state.is_playing).toBe(true),
    { timeout: 10_000, interval: 300 },
  )
}

/**
 * Returns by how much the states of a playing track differ in when it began, ms of the server's time: a listener who
 * plays by the first of them would have to jump so far. Throws where none plays.
 */
export function spreadOfStarts(states: PlaybackState[]): number {
  const starts = states
    .filter(({ is_playing }) => is_playing)
    .map(({ timestamp, current_position }) => timestamp - current_position)
  if (starts.length === 0) throw new Error('Nothing was playing')
  return Math.max(...starts) - Math.min(...starts)
}
