import { AppError } from '@earshot/core/protocol/errors'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { enterAsGuest } from '../apps.ts'
import { ask } from '../ask.ts'
import { connect } from '../sockets.ts'
import { openSpreadRoom, startCluster } from './cluster.ts'
import { startPlaying } from './listeners.ts'

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

it('16.95 a room spread over three processes behaves as on one', async () => {
  const cluster = await startCluster()
  const [a, b, c] = cluster.servers
  const { roomId, owner, ann, ben } = await openSpreadRoom(cluster)
  const callAsOwner = async (path: string, body: object = {}) =>
    ask(`${a.address}/api/rooms/${roomId}${path}`, {
      method: 'POST',
      headers: { cookie: owner.user.cookie, origin: a.address },
      body,
    })

  // Commands, and who may not give them.
  await startPlaying(owner, roomId)
  const { state } = await owner.ask('direct_command', { roomId, command: 'pause' })
  for (const client of [ann, ben]) {
    const heard = await client.hear(
      'playback_updated',
      (each) => each.state.sequence_number === state.sequence_number,
    )
    expect(heard.state).toMatchObject(state)
  }
  expect(await refusal(ann.ask('direct_command', { roomId, command: 'play' }))).toBe('not_owner')
  await owner.ask('direct_command', { roomId, command: 'play' })

  // The queue: differences for ann, whole queues for ben, each the same in the end.
  const { queue } = await ben.ask('queue_updated', { roomId, queue: [{ id: 't2' }] })
  await ann.hear('queueDelta')
  await ben.hear('queueUpdate', (heard) => heard.queue.length === queue.length)

  // Chat, reactions and clocks.
  await ann.ask('send_message', { roomId, message: 'from the second' })
  for (const client of [owner, ben])
    expect((await client.hear('message')).message.content).toBe('from the second')
  await ben.ask('reaction', { roomId, kind: 'wow' })
  for (const client of [owner, ann])
    expect((await client.hear('reactions')).items).toEqual([{ kind: 'wow', count: 1 }])
  const times = await Promise.all([owner, ann, ben].map((client) => client.ask('ping', { time: 0 })))
  const received = times.map(({ receivedAtMs }) => receivedAtMs)
  expect(Math.max(...received) - Math.min(...received)).toBeLessThan(500)

  // Limits of the whole cluster, and of the rooms' users.
  const flood = await Promise.all(
    Array.from({ length: 20 }, (_, n) => refusal(ann.ask('send_message', { roomId, message: `flood ${n}` }))),
  )
  expect(flood).toContain('rate_limited')

  // A guest by an invite of the first server comes in on the third.
  const invite = (await callAsOwner('/invites')).json as { token: string }
  const guest = await connect(c, await enterAsGuest(c, 'Guest'))
  expect(await refusal(guest.ask('join_room', { roomId }))).toBe('guests_not_admitted')
  const joined = await guest.ask('join_room', { roomId, invite: invite.token })
  expect(joined.members).toHaveLength(4)
  await ann.hear('userPresence', (heard) => heard.count === 4)

  // Removed and banned on other processes than the owner's.
  await callAsOwner(`/members/${guest.user.id}/kick`)
  expect(await guest.hear('removed_from_room')).toMatchObject({ roomId, reason: 'kicked' })
  await callAsOwner(`/bans/${ben.user.id}`)
  expect(await ben.hear('removed_from_room')).toMatchObject({ roomId, reason: 'banned' })
  expect(await refusal((await connect(b, ben.user)).ask('join_room', { roomId }))).toBe('banned')

  owner.forget()
  // Handed over for good, the room obeys the second process.
  await callAsOwner('/owner', { userId: ann.user.id })
  await vi.waitFor(async () =>
    expect(await refusal(ann.ask('direct_command', { roomId, command: 'pause' }))).toBe('accepted'),
  )
  await owner.hear('playback_updated', (heard) => !heard.state.is_playing)
  expect(await refusal(owner.ask('direct_command', { roomId, command: 'play' }))).toBe('not_owner')
})

it('16.93 a busy room sends nothing to a process that has no members of it', async () => {
  const cluster = await startCluster()
  const { roomId, owner, ann, ben } = await openSpreadRoom(cluster)
  await ben.ask('user_left', { roomId })
  const redis = new Redis(cluster.redis.url)
  const observer = new Redis(cluster.redis.url)
  onTestFinished(() => void [redis, observer].map((each) => each.disconnect()))
  const channels = (await redis.call('PUBSUB', 'SHARDCHANNELS', `*${roomId}*`)) as string[]
  expect(channels.length).toBeGreaterThan(1)
  const counts = (await redis.call('PUBSUB', 'SHARDNUMSUB', ...channels)) as (string | number)[]
  for (const count of counts.filter((each) => typeof each === 'number')) expect(count).toBeLessThanOrEqual(2)

  // The channels that the third process listens to.
  let heard = 0
  observer.on('smessage', () => (heard += 1))
  const others = ((await redis.call('PUBSUB', 'SHARDCHANNELS')) as string[]).filter(
    (name) => !name.includes(roomId),
  )
  for (const name of others) await observer.ssubscribe(name)
  await owner.ask('direct_command', { roomId, command: 'play' })
  await owner.ask('direct_command', { roomId, command: 'pause' })
  await ann.ask('queue_updated', { roomId, queue: [{ id: 't2' }] })
  await ann.ask('send_message', { roomId, message: 'only here' })
  await ann.ask('reaction', { roomId, kind: 'wow' })
  await owner.hear('reactions')
  await ann.ask('user_left', { roomId })
  await owner.hear('userPresence', ({ count }) => count === 1)
  await observer.ping()
  expect(heard).toBe(0)
})
