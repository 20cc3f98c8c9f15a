import type { Clock } from '@earshot/core/clock'
import { fromPlaybackState, positionAt } from '@earshot/core/sync/timeline'
import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServerClock } from '../src/clock/server-clock.ts'
import { startApp } from './apps.ts'
import { makeFolder } from './folders.ts'
import { captureLog } from './log.ts'
import { connect, openJoinedRoom } from './sockets.ts'
import { makeSharedEngines } from './two-servers.ts'

const hourMs = 3_600_000
const readEveryMs = 10_000

it.each([2 * hourMs, -2 * hourMs])(
  '16.49 a room plays on where it is when the clock of the server was wrong by %i ms and is set',
  async (wrongByMs) => {
    const timers = createFakeClock(0)
    const machineMs = (): number => Date.now() - wrongByMs
    const runLater: Clock['after'] = (ms, run) => timers.after(ms, run)
    const clock = {
      ...createServerClock({ machineMs, elapsedMs: () => performance.now() }),
      after: runLater,
    }
    const app = await startApp({ clock, logger: captureLog().logger })
    const { id: roomId, owner } = await openJoinedRoom(app, { durationMs: 600_000 })
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    const before = fromPlaybackState(state)
    const disconnected = new Promise((resolve) => owner.socket.once('disconnect', resolve))

    await timers.advanceAsync(readEveryMs)
    await timers.advanceAsync(readEveryMs)
    // Not by the server's word: the client's library then reconnects by itself.
    expect(await disconnected).toBe('transport close')
    await vi.waitFor(() => expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000))
    const back = await connect(app, owner.user)
    const after = fromPlaybackState((await back.ask('join_room', { roomId })).state)
    expect(after).toMatchObject({ trackId: before.trackId, isPlaying: true })
    const nowMs = Date.now()
    const heardMs = positionAt(before, nowMs - wrongByMs)
    expect(Math.abs(positionAt(after, nowMs) - heardMs)).toBeLessThan(100)
  },
)

it('16.208 a process whose machine was paused is back on the time of the others, and no room moves', async () => {
  const engines = await makeSharedEngines()
  let pausedMs = 0
  const start = async (elapsedMs: () => number) => {
    const timers = createFakeClock(0)
    const runLater: Clock['after'] = (ms, run) => timers.after(ms, run)
    const clock = { ...createServerClock({ machineMs: () => Date.now(), elapsedMs }), after: runLater }
    const app = await startApp({ ...engines, clock, logger: captureLog().logger })
    return { app, clock, pass: () => timers.advanceAsync(readEveryMs) }
  }
  const right = await start(() => performance.now())
  const paused = await start(() => performance.now() - pausedMs)
  const seen = await watchReadings(engines.redisUrl)
  const { id: roomId, owner } = await openJoinedRoom(right.app, { durationMs: 600_000 })
  const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
  const stamp = fromPlaybackState(state)
  /** Resolves when the other process has agreed with the clock of Redis once more. */
  const agree = async (): Promise<void> => {
    const before = seen.incr
    await vi.waitFor(async () => {
      await right.pass()
      expect(seen.incr).toBeGreaterThan(before)
    })
  }
  await agree()

  pausedMs = 45_000
  // One pass: a second one could begin the next reading before the other process has agreed.
  await paused.pass()
  await vi.waitFor(() => expect(seen.get).toBe(1))
  await agree()
  await vi.waitFor(async () => {
    await paused.pass()
    expect(Math.abs(paused.clock.now() - Date.now())).toBeLessThan(1_000)
  })
  const { state: after } = await owner.ask('request_sync', { roomId })
  expect(fromPlaybackState(after)).toEqual(stamp)
})

/** Counts the readings of clocks that processes count in a Redis, and how often one looked up their count. */
async function watchReadings(redisUrl: string) {
  const seen = { incr: 0, get: 0 }
  const redis = new Redis(redisUrl)
  const commands = await redis.monitor()
  commands.on('monitor', (_time: string, [command, key]: string[]) => {
    if (key === 'earshot:clock-readings' && (command === 'incr' || command === 'get')) seen[command] += 1
  })
  onTestFinished(() => {
    commands.disconnect()
    redis.disconnect()
  })
  return seen
}

it('16.50 a stored start that lies in the future is moved to the longest lead', async () => {
  const [dataDir, clock] = [await makeFolder(), createFakeClock()]
  const before = await startApp({ dataDir, clock })
  const { id: roomId, owner } = await openJoinedRoom(before)
  await owner.ask('direct_command', { roomId, command: 'play' })
  const ahead = Math.round(clock.now() + 2 * hourMs)
  await before.db
    .updateTable('rooms')
    .set({ last_updated: ahead, due_at: ahead + 200_000 })
    .execute()
  await before.close()

  const after = await startApp({ dataDir, clock, logger: captureLog().logger })
  const readRoom = async () => {
    clock.advance(1)
    return (await after.call<{ room: { last_updated: number } }>(null, 'GET', `/api/rooms/${roomId}`)).room
  }
  await vi.waitFor(async () => {
    const leadMs = (await readRoom()).last_updated - clock.now()
    expect(leadMs).toBeLessThanOrEqual(limits.leadMaxMs)
  })
  expect(await readRoom()).toMatchObject({ is_playing: true, current_track_id: 't1' })
})
