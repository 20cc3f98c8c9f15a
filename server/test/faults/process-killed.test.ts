import { expect, it, vi } from 'vitest'
import { runServer } from '../children/run-server.ts'
import { connect } from '../sockets.ts'
import { balance, startCluster } from './cluster.ts'
import { gatherCrowd } from './crowd.ts'
import { listen, listenAll, spreadOfStarts, startPlaying } from './listeners.ts'

/** A player reads 120 s of a file ahead, so it plays on for much longer. */
const longestOutageMs = 20_000

it('16.44, 16.90 of three processes one is killed under load: acknowledged messages are stored, its members gone in 15 s', async () => {
  const cluster = await startCluster()
  const crowd = await gatherCrowd(cluster.servers, cluster.options, 60)
  const [, killed] = cluster.servers
  const { acknowledgedIds, failures } = await crowd.burstDuring(4, 40, () => killed.kill())
  const killedAtMs = performance.now()
  expect(failures.length).toBeGreaterThan(0)
  expect([...new Set(failures)]).toEqual(['no_answer'])
  expect(await crowd.findMissing(acknowledgedIds)).toEqual([])

  // Of ten members in turn on three servers, three or four were on the one that died.
  const survivors = crowd.clients.filter(({ socket }) => socket.connected)
  expect(survivors).toHaveLength(40)
  const [observer] = survivors
  await vi.waitFor(
    async () => {
      const { memberCount } = await observer!.ask('request_sync', { roomId: crowd.roomIds[0] })
      expect(memberCount).toBe(crowd.clients.slice(0, 10).filter(({ socket }) => socket.connected).length)
    },
    { timeout: 15_000 - (performance.now() - killedAtMs), interval: 300 },
  )
})

it('16.97 listeners of a killed process come back on another one, on the same schedule, and nobody sees them leave', async () => {
  const cluster = await startCluster()
  const address = await balance(cluster.servers.map((server) => server.address))
  const owner = await cluster.signUp('owner')
  const roomId = await cluster.makeRoom(owner)
  const controls = await connect(cluster.servers[0], owner)
  await controls.ask('join_room', { roomId })
  await startPlaying(controls, roomId)
  const names = Array.from({ length: 30 }, (_, n) => `listener${n}`)
  const users = await Promise.all(names.map((name) => cluster.signUp(name)))
  const listeners = await listenAll(address, users, roomId)
  await controls.hear('userPresence', ({ count }) => count === 31)
  controls.forget()

  await cluster.servers[2].kill()
  await vi.waitFor(() => expect(listeners.some((each) => !each.isThere())).toBe(true), { timeout: 5_000 })
  await vi.waitFor(() => expect(listeners.every((each) => each.isThere())).toBe(true), {
    timeout: longestOutageMs,
    interval: 50,
  })
  for (const { states } of listeners) expect(spreadOfStarts(states)).toBeLessThan(1)
  const { state } = await controls.ask('direct_command', { roomId, command: 'pause' })
  for (const { client } of listeners) {
    await client.hear('playback_updated', (each) => each.state.sequence_number === state.sequence_number)
  }
  // Their leases on the dead process end; those on the others stay.
  const lowest = (): number => Math.min(31, ...controls.all('userPresence').map(({ count }) => count))
  await vi.waitFor(async () => expect((await controls.ask('request_sync', { roomId })).memberCount).toBe(31))
  expect(lowest()).toBe(31)
})

it(
  '16.97 all processes are restarted in turn while 200 listen: none is told to play anything else, and no command is lost',
  { timeout: 300_000 },
  async () => {
    const cluster = await startCluster()
    const ports = cluster.servers.map(({ address }) => new URL(address).port)
    const address = await balance(cluster.servers.map((server) => server.address))
    const owner = await cluster.signUp('owner')
    const roomId = await cluster.makeRoom(owner)
    const controls = await listen(address, owner, roomId)
    await startPlaying(controls.client, roomId)
    const names = Array.from({ length: 200 }, (_, n) => `listener${n}`)
    const users = await Promise.all(names.map((name) => cluster.signUp(name)))
    const listeners = await listenAll(address, users, roomId)

    for (const [index, server] of cluster.servers.entries()) {
      server.child.process.kill('SIGTERM')
      expect(await server.child.ended).toBe(0)
      await runServer({ ...cluster.variables, PORT: ports[index]! })
      await vi.waitFor(() => expect(listeners.filter((each) => !each.isThere())).toEqual([]), {
        timeout: 20_000,
        interval: 100,
      })
    }
    for (const { states } of listeners) expect(spreadOfStarts(states)).toBeLessThan(1)
    expect(Math.max(...listeners.flatMap(({ outagesMs }) => outagesMs))).toBeLessThan(longestOutageMs)
    await vi.waitFor(() => expect(controls.isThere()).toBe(true), { timeout: 10_000 })
    const { state } = await controls.client.ask('direct_command', { roomId, command: 'pause' })
    for (const { client } of listeners) {
      await client.hear('playback_updated', (each) => each.state.sequence_number === state.sequence_number)
    }
    expect((await controls.client.ask('request_sync', { roomId })).memberCount).toBe(listeners.length + 1)
  },
)
