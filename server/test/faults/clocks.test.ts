import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fromPlaybackState, positionAt } from '@earshot/core/sync/timeline'
import { expect, it, vi } from 'vitest'
import { ask } from '../ask.ts'
import { type ServerProcess, runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { type TestClient, connect, storeTracks } from '../sockets.ts'
import { openTestDatabase, startCluster } from './cluster.ts'
import { secret } from './crowd.ts'
import { listen, spreadOfStarts, startPlaying } from './listeners.ts'
import { signUp } from '../apps.ts'

const hourMs = 3_600_000
/** Two readings of the reference and what they cause, with room for a busy machine. */
const steppedWithin = { timeout: 60_000, interval: 500 }

/** The environment of a process on a machine with a wrong clock. */
function wrongClock(wrongByMs: number, jumpMs: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', 'children', 'wrong-clock.ts')}`,
    CLOCK_WRONG_BY_MS: String(wrongByMs),
    CLOCK_JUMP_MS: String(jumpMs),
  }
}

const jump = ({ child }: ServerProcess): void => void child.process.kill('SIGUSR2')

/** Returns by how much the clocks of the processes differ, ms, as far as a round trip tells. */
async function spreadOfClocks(clients: TestClient[]): Promise<number> {
  const differences: number[] = []
  for (const client of clients) {
    const sentAtMs = Date.now()
    const { receivedAtMs } = await client.ask('ping', { time: 0 })
    differences.push(receivedAtMs - (sentAtMs + Date.now()) / 2)
  }
  return Math.max(...differences) - Math.min(...differences)
}

it(
  '15.54 a process on a machine whose clock is 3 s off, then jumps by an hour, stamps as the others do',
  { timeout: 240_000 },
  async () => {
    const cluster = await startCluster(async (_variables, index) =>
      index === 1 ? wrongClock(3_000, hourMs) : {},
    )
    const owner = await cluster.signUp('owner')
    const roomId = await cluster.makeRoom(owner)
    const [first, wrong, third] = cluster.servers
    const controls = await listen(wrong.address, owner, roomId)
    await startPlaying(controls.client, roomId)
    const listeners = [controls]
    for (const [index, { address }] of [first, wrong, third].entries()) {
      listeners.push(await listen(address, await cluster.signUp(`listener${index}`), roomId))
    }
    const clients = listeners.map(({ client }) => client)
    expect(await spreadOfClocks(clients)).toBeLessThan(500)

    jump(wrong)
    // Longer than two readings, after which a process that follows its own machine would step.
    await delay(25_000)
    expect(await spreadOfClocks(clients)).toBeLessThan(500)
    for (const { states, outagesMs } of listeners) {
      expect(outagesMs).toEqual([])
      expect(spreadOfStarts(states)).toBeLessThan(1)
    }
    const { state } = await controls.client.ask('direct_command', {
      roomId,
      command: 'seek',
      position: 90_000,
    })
    for (const { client } of listeners) {
      const heard = await client.hear(
        'playback_updated',
        (each) => each.state.sequence_number === state.sequence_number,
      )
      expect(heard.state.timestamp).toBe(state.timestamp)
    }
    expect(wrong.child.output.stdout).not.toContain('The clock was set')
  },
)

it.each([hourMs, -hourMs])(
  '16.49 the clock of the machine of a single server jumps by %i ms: who listens comes back, and the music is where it was',
  { timeout: 240_000 },
  async (jumpMs) => {
    const dataDir = await makeFolder()
    const server = await runServer({ DATA_DIR: dataDir, SECRET: secret, ...wrongClock(0, jumpMs) })
    const db = await openTestDatabase({ databaseUrl: null, dataDir })
    await storeTracks(db, 1, 600_000)
    const owner = await signUp({ db, secret }, 'owner')
    const headers = { cookie: owner.cookie, origin: server.address }
    const post = async (path: string, body: object): Promise<unknown> =>
      (await ask(`${server.address}/api${path}`, { method: 'POST', headers, body })).json
    const { id: roomId } = (await post('/rooms', { name: 'Room' })) as { id: string }
    const controls = await listen(server.address, owner, roomId)
    await post(`/rooms/${roomId}/queue`, { trackId: 't1' })
    await startPlaying(controls.client, roomId)

    /** Where the music is by the clock of the server, and by ours. */
    const readPosition = async (): Promise<{ positionMs: number; atMs: number }> => {
      const atMs = performance.now()
      const { state } = await controls.client.ask('request_sync', { roomId })
      const { receivedAtMs } = await controls.client.ask('ping', { time: 0 })
      expect(state.is_playing).toBe(true)
      return { positionMs: positionAt(fromPlaybackState(state), receivedAtMs), atMs }
    }
    const before = await readPosition()
    jump(server)
    await vi.waitFor(() => expect(controls.outagesMs.length).toBeGreaterThan(0), steppedWithin)
    await vi.waitFor(() => expect(controls.isThere()).toBe(true), steppedWithin)
    const after = await readPosition()
    const heardMs = after.positionMs - before.positionMs
    expect(Math.abs(heardMs - (after.atMs - before.atMs))).toBeLessThan(2_000)
    const { receivedAtMs } = await controls.client.ask('ping', { time: 0 })
    expect(Math.abs(receivedAtMs - jumpMs - Date.now())).toBeLessThan(60_000)
    const late = await connect(server, await signUp({ db, secret }, 'late'))
    const joined = await late.ask('join_room', { roomId })
    expect(joined.state.sequence_number).toBe(controls.states.at(-1)?.sequence_number)
  },
)
