import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../ask.ts'
import { type RedisEngine, startRedis } from '../redis.ts'
import { connect } from '../sockets.ts'
import { type TestCluster, startCluster, waitUntilReady } from './cluster.ts'
import { listen, spreadOfStarts, startPlaying } from './listeners.ts'
import { type Link, openLink, withPort } from './link.ts'

/** Of tests whose fault alone lasts half a minute or more. */
const patient = { timeout: 240_000 }

/** Two listeners on each server, and the owner on the first, in a room that plays. */
async function playTogether(cluster: TestCluster) {
  const owner = await cluster.signUp('owner')
  const roomId = await cluster.makeRoom(owner)
  const controls = await listen(cluster.servers[0].address, owner, roomId)
  await startPlaying(controls.client, roomId)
  const listeners = await Promise.all(
    cluster.servers.flatMap(({ address }, n) =>
      ['a', 'b'].map(async (name) => listen(address, await cluster.signUp(`${name}${n}`), roomId)),
    ),
  )
  await controls.client.hear('userPresence', ({ count }) => count === 7)
  for (const { client } of listeners) client.forget()
  controls.client.forget()
  return { roomId, controls, listeners }
}

type Room = Awaited<ReturnType<typeof playTogether>>

/** Waits until a command reaches everybody again. */
async function hearEachOther({ roomId, controls, listeners }: Room, withinMs: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const command = `c${performance.now()}`
      const { message } = await controls.client.ask('send_message', { roomId, message: command })
      await delay(1_000)
      for (const { client } of listeners) {
        expect(client.all('message').some((heard) => heard.message.id === message.id)).toBe(true)
      }
    },
    { timeout: withinMs, interval: 500 },
  )
}

/** Nobody was disconnected, told to play anything else, or shown as gone. */
async function expectNothingHappened({ roomId, controls, listeners }: Room): Promise<void> {
  for (const { outagesMs, states } of listeners) {
    expect(outagesMs).toEqual([])
    expect(spreadOfStarts(states)).toBeLessThan(1)
  }
  expect((await controls.client.ask('request_sync', { roomId })).memberCount).toBe(7)
  const lines = listeners.flatMap(({ client }) => client.all('activity'))
  expect(lines.flatMap((line) => ('kind' in line ? [line.kind] : []))).not.toContain('left')
}

it(
  '16.91 Redis pauses for 45 s: nobody is removed, and all hear each other within 20 s',
  patient,
  async () => {
    const cluster = await startCluster()
    const room = await playTogether(cluster)
    cluster.redis.signal('SIGSTOP')
    await delay(45_000)
    const during = await room.controls.client
      .ask('send_message', { roomId: room.roomId, message: 'meanwhile' })
      .catch(() => null)
    cluster.redis.signal('SIGCONT')
    for (const server of cluster.servers) await waitUntilReady(server, 20_000)
    await hearEachOther(room, 20_000)
    await delay(3_000)
    await expectNothingHappened(room)
    expect(during).not.toBeNull()
  },
)

it(
  '16.91 Redis is away for 30 s and comes back empty: nobody is removed, and all hear each other within 20 s',
  patient,
  async () => {
    const cluster = await startCluster()
    const room = await playTogether(cluster)
    await cluster.redis.stop()
    await delay(30_000)
    const back = await startRedis(Number(new URL(cluster.redis.url).port))
    onTestFinished(() => back.stop())
    for (const server of cluster.servers) await waitUntilReady(server, 20_000)
    await hearEachOther(room, 20_000)
    expect(room.listeners.every((each) => each.isThere())).toBe(true)
    await expectNothingHappened(room)
  },
)

it('16.92, 16.195 one process loses the network to Redis without a word: it is not ready, and comes back by itself', async () => {
  const links: Awaited<ReturnType<typeof openLink>>[] = []
  const cluster = await startCluster(async ({ REDIS_URL }, index): Promise<Record<string, string>> => {
    if (index !== 1) return {}
    const link = await openLink(Number(new URL(REDIS_URL!).port))
    links.push(link)
    return { REDIS_URL: withPort(REDIS_URL!, link.port) }
  })
  const room = await playTogether(cluster)
  links[0]!.stall()
  await delay(18_000)
  expect((await ask(`${cluster.servers[1].address}/readyz`)).status).toBe(503)
  // Its own listeners go on hearing each other.
  const [, , ann, ben] = room.listeners
  const { message } = await ann!.client.ask('send_message', { roomId: room.roomId, message: 'alone' })
  await ben!.client.hear('message', (heard) => heard.message.id === message.id)
  links[0]!.restore()
  await waitUntilReady(cluster.servers[1], 20_000)
  await hearEachOther(room, 20_000)
  for (const { outagesMs, states } of room.listeners) {
    expect(outagesMs).toEqual([])
    expect(spreadOfStarts(states)).toBeLessThan(1)
  }
  await vi.waitFor(
    async () => {
      const snapshot = await room.controls.client.ask('request_sync', { roomId: room.roomId })
      expect(snapshot.memberCount).toBe(7)
      // Stored members, without whom HTTP calls and audio are refused.
      expect(snapshot.room?.listeners).toBe(7)
    },
    { timeout: 15_000, interval: 500 },
  )
})

it('16.91 a stalled process whose members were removed brings them back when it goes on', async () => {
  const cluster = await startCluster()
  const room = await playTogether(cluster)
  const { process } = cluster.servers[2].child
  const observer = await connect(cluster.servers[1], room.controls.client.user)
  await observer.ask('join_room', { roomId: room.roomId })
  process.kill('SIGSTOP')
  const count = async (): Promise<number | undefined> =>
    (await observer.ask('request_sync', { roomId: room.roomId })).memberCount
  await vi.waitFor(async () => expect(await count()).toBe(5), { timeout: 15_000, interval: 300 })
  process.kill('SIGCONT')
  await vi.waitFor(async () => expect(await count()).toBe(7), { timeout: 15_000, interval: 300 })
  await hearEachOther(room, 20_000)
})

/** Connects as an operator does. Ends with the test. */
function operate(redis: RedisEngine): Redis {
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  return operator
}

const portOf = ({ url }: RedisEngine): number => Number(new URL(url).port)

/** Starts a replica, and resolves to a function by which it becomes the primary, and the primary its replica. */
async function startReplica(
  primary: RedisEngine,
): Promise<{ replica: RedisEngine; failOver: () => Promise<void> }> {
  const replica = await startRedis()
  onTestFinished(() => replica.stop())
  const [ofPrimary, ofReplica] = [operate(primary), operate(replica)]
  await ofReplica.replicaof('127.0.0.1', portOf(primary))
  const expectInfo = (operator: Redis, line: string): Promise<void> =>
    vi.waitFor(async () => expect(await operator.info('replication')).toContain(line))
  await expectInfo(ofPrimary, 'state=online')
  return {
    replica,
    async failOver() {
      await ofPrimary.call('FAILOVER', 'TO', '127.0.0.1', portOf(replica))
      await expectInfo(ofReplica, 'role:master')
      await expectInfo(ofPrimary, 'role:slave')
    },
  }
}

it(
  '16.149 Redis fails over, and its old primary keeps its connections as a replica: nobody is removed, and all hear each other and newcomers',
  patient,
  async () => {
    const links: Link[] = []
    const cluster = await startCluster(async ({ REDIS_URL }): Promise<Record<string, string>> => {
      const link = await openLink(Number(new URL(REDIS_URL!).port))
      links.push(link)
      return { REDIS_URL: withPort(REDIS_URL!, link.port) }
    })
    const room = await playTogether(cluster)
    const { replica, failOver } = await startReplica(cluster.redis)
    await failOver()
    for (const link of links) link.retarget(portOf(replica))
    await hearEachOther(room, 20_000)
    for (const server of cluster.servers) await waitUntilReady(server, 20_000)
    await expectNothingHappened(room)
    const late = await listen(cluster.servers[1].address, await cluster.signUp('late'), room.roomId)
    expect((await late.client.ask('request_sync', { roomId: room.roomId })).memberCount).toBe(8)
    await room.controls.client.hear('userJoin', ({ user }) => user.username === 'late')
  },
)
