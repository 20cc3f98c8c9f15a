import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type TestApp, signUp, startApp } from './apps.ts'
import { type Link, openLink, withPort } from './faults/link.ts'
import { captureLog } from './log.ts'
import { startRedis } from './redis.ts'
import { connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { makeSharedEngines } from './two-servers.ts'
import { serverLimits } from '../src/server-limits.ts'

/** A server in this process, and the way by which it reaches Redis. */
interface LinkedApp {
  app: TestApp
  way: Link
}

/** Starts servers that share a database and a Redis of their own. */
async function startLinked(count: number, clock?: FakeClock) {
  const [redis, { databaseUrl }] = await Promise.all([startRedis(), makeSharedEngines()])
  onTestFinished(() => redis.stop())
  const linked: LinkedApp[] = []
  for (let n = 0; n < count; n++) {
    const way = await openLink(Number(new URL(redis.url).port))
    const redisUrl = withPort(redis.url, way.port)
    const app = await startApp({ ...captureLog(), databaseUrl, redisUrl, clock })
    linked.push({ app, way })
  }
  return { redis, linked }
}

it('16.196 members of one process hear each other while Redis is silent, before anybody has given up waiting for it', async () => {
  const { redis, linked } = await startLinked(1)
  const { app } = linked[0]!
  const { id: roomId, owner } = await openJoinedRoom(app)
  const ann = await joinAs(app, roomId, 'ann')
  const late = await connect(app, await signUp(app, 'late'))
  ann.forget()
  const paused = new Promise<void>((resolve) => {
    ann.socket.on('playback_updated', ({ state }) => state.command === 'pause' && resolve())
  })
  redis.signal('SIGSTOP')
  // The time in which the one who joins gives up begins when the others have heard each other.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    redis.signal('SIGCONT')
  })
  let hasGivenUp = false
  const joining = late.askRaw('join_room', { roomId }).finally(() => (hasGivenUp = true))
  await owner.ask('direct_command', { roomId, command: 'play' })
  await owner.ask('send_message', { roomId, message: 'still here' })
  await owner.ask('direct_command', { roomId, command: 'pause' })
  await paused
  expect(hasGivenUp).toBe(false)
  // In the order in which one process without Redis sends them. Lines of activity, and the queue, come when they come.
  const order = ['playback_updated', 'direct_command', 'message', 'playback_updated', 'direct_command']
  const heard = () => ann.heard.map(({ name }) => name).filter((name) => order.includes(name))
  await vi.waitFor(() => expect(heard()).toEqual(order))
  await vi.waitFor(() => expect(hasGivenUp).toBe(true))
  expect(await joining).toMatchObject({ error: { code: 'unavailable' } })
})

it.each([
  ['the members of the process that was cut off get what it missed', 1],
  ['those of the others get what the process that was cut off could not send', 0],
])('16.197 after a connection to Redis was lost, %s', async (_title, cut) => {
  const { linked } = await startLinked(2)
  const [first, second] = linked.map(({ app }) => app) as [TestApp, TestApp]
  const { id: roomId, owner } = await openJoinedRoom(first)
  const [ann, ben] = [await joinAs(second, roomId, 'ann'), await joinAs(first, roomId, 'ben')]
  await ann.hear('userPresence', ({ count }) => count === 3)
  ann.forget()
  linked[cut]!.way.cut()
  const { message } = await owner.ask('send_message', { roomId, message: 'meanwhile' })
  const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
  await first.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { name: 'Renamed' })
  if (cut === 1) await ben.ask('user_left', { roomId })
  linked[cut]!.way.restore()
  await ann.hear('message', (heard) => heard.message.id === message.id)
  await ann.hear('playback_updated', (heard) => heard.state.sequence_number === state.sequence_number)
  await ann.hear('roomUpdate', ({ room }) => room.name === 'Renamed')
  await vi.waitFor(() => expect(ann.all('userPresence').at(-1)?.count).toBe(cut === 1 ? 2 : 3))
})

it.each([
  ['the process whose members read it', [1]],
  ['the process that deletes it', [0]],
  ['all processes', [0, 1]],
])(
  '16.324, 17.476 a message that is deleted while Redis is away from %s disappears, as those of who is banned',
  async (_title, cut) => {
    const { linked } = await startLinked(2)
    const [first, second] = linked.map(({ app }) => app) as [TestApp, TestApp]
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    const { message } = await owner.ask('send_message', { roomId, message: 'an insult' })
    await ann.hear('message', (heard) => heard.message.id === message.id)
    for (const index of cut) linked[index]!.way.cut()
    await first.call(owner.user, 'DELETE', `/api/rooms/${roomId}/messages/${message.id}`)
    // A ban waits for Redis, whose connection may break just after it.
    await first.rooms.chat.deleteAllOf('banned', roomId)
    for (const index of cut) linked[index]!.way.restore()
    expect(await ann.hear('messageDeleted')).toEqual({ roomId, messageId: message.id })
    expect(await ann.hear('messagesDeleted')).toMatchObject({ roomId, userId: 'banned' })
  },
)

it('16.198 a ban of which a process did not hear takes effect there with its next renewal', async () => {
  const clock = createFakeClock(performance.timeOrigin)
  const { linked } = await startLinked(2, clock)
  const [first, second] = linked as [LinkedApp, LinkedApp]
  const { id: roomId, owner } = await openJoinedRoom(first.app)
  const ann = await joinAs(second.app, roomId, 'ann')
  second.way.cut()
  await first.app.call(owner.user, 'POST', `/api/rooms/${roomId}/bans/${ann.user.id}`)
  expect(await ann.ask('send_message', { roomId, message: 'still heard' })).toBeDefined()
  second.way.restore()
  await vi.waitFor(() => second.app.rooms.presence.countMembers(roomId))
  expect(ann.all('removed_from_room')).toEqual([])
  clock.advance(serverLimits.presenceRenewMs)
  expect(await ann.hear('removed_from_room')).toEqual({ roomId, reason: 'banned' })
  const answer = await ann.askRaw('send_message', { roomId, message: 'no more' })
  expect(answer).toMatchObject({ error: { code: 'not_a_member' } })
})

it('16.198 an owner can remove again whom a process that did not hear of it still serves', async () => {
  const clock = createFakeClock(performance.timeOrigin)
  const { linked } = await startLinked(2, clock)
  const [first, second] = linked as [LinkedApp, LinkedApp]
  const { id: roomId, owner } = await openJoinedRoom(first.app)
  const ann = await joinAs(second.app, roomId, 'ann')
  const kick = () => first.app.call(owner.user, 'POST', `/api/rooms/${roomId}/members/${ann.user.id}/kick`)
  second.way.cut()
  await kick()
  second.way.restore()
  await vi.waitFor(
    async () => {
      await kick()
      expect(ann.all('removed_from_room')[0]).toEqual({ roomId, reason: 'kicked' })
    },
    { interval: 500 },
  )
  const countLines = (): number =>
    owner.all('activity').filter((line) => 'kind' in line && line.kind === 'kicked').length
  await vi.waitFor(() => {
    clock.advance(serverLimits.presenceSweepMs)
    expect(countLines()).toBe(1)
  }, renewable)
})
