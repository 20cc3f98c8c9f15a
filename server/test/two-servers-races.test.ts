import type { QueueEntry } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { applyQueueDelta } from '@earshot/core/room/queue-delta'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, signUp, startApp } from './apps.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { makeSharedEngines, startTwo } from './two-servers.ts'
import { serverLimits } from '../src/server-limits.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

interface NumberedQueue {
  queue: readonly QueueEntry[]
  version: number
}

const entryIds = ({ queue }: Pick<NumberedQueue, 'queue'>) => queue.map((entry) => entry.entry_id)

/** The owner on the first process and ann on the second, who may both control the room. */
async function openSharedRoom(options: { trackCount?: number } = {}) {
  const clock = createFakeClock(performance.timeOrigin)
  const [first, second] = await startTwo(clock)
  const { id: roomId, owner, tracks } = await openJoinedRoom(first, options)
  await first.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { control: 'everybody' } })
  const ann = await joinAs(second, roomId, 'ann')
  return { clock, first, second, roomId, owner, ann, tracks }
}

/** A third user who only listens, on a given process. */
async function listen(app: TestApp, roomId: string, name: string): Promise<TestClient> {
  const client = await connect(app, await signUp(app, name))
  await client.ask('join_room', { roomId, queueDeltas: true })
  return client
}

describe('two processes, both used at once', () => {
  it('16.118 commands to both are applied in one order, each heard once by everybody, the last state by all', async () => {
    const { first, second, roomId, owner, ann } = await openSharedRoom()
    const listeners = [await listen(first, roomId, 'cem'), await listen(second, roomId, 'dee')]
    const everybody = [owner, ann, ...listeners]
    for (const client of everybody) client.forget()
    const answers = await Promise.all(
      numbers(8).flatMap((number) =>
        [owner, ann].map((client) =>
          client.ask('direct_command', { roomId, command: 'seek', position: 1_000 * (number + 1) }),
        ),
      ),
    )
    const sequence = answers.map(({ state }) => state.sequence_number)
    expect(new Set(sequence).size).toBe(sequence.length)
    const last = Math.max(...sequence)
    const states = await Promise.all(
      everybody.map(async (client) => {
        await vi.waitFor(() => expect(client.all('playback_updated')).toHaveLength(sequence.length))
        const heard = client.all('playback_updated').map(({ state }) => state)
        expect(heard.map((state) => state.sequence_number).toSorted((a, b) => a - b)).toEqual(
          sequence.toSorted((a, b) => a - b),
        )
        return heard.find((state) => state.sequence_number === last)
      }),
    )
    for (const state of states) expect(state?.current_position).toBe(states[0]?.current_position)
  })

  it('16.118 one command that reaches both processes is applied once', async () => {
    const { first, second, roomId, owner } = await openSharedRoom({ trackCount: 4 })
    const elsewhere = await connect(second, owner.user)
    await elsewhere.ask('join_room', { roomId })
    const command = { roomId, command: 'next', commandId: 'once' }
    const answers = await Promise.all([
      owner.ask('direct_command', command),
      elsewhere.ask('direct_command', command),
    ])
    expect(answers.filter(({ applied }) => applied)).toHaveLength(1)
    const { queue } = await first.call<{ queue: unknown[] }>(owner.user, 'GET', `/api/rooms/${roomId}/queue`)
    expect(queue).toHaveLength(2)
  })

  it('16.118 differences of a queue that both processes change lead every member to the same queue', async () => {
    const { first, second, roomId, owner, ann, tracks } = await openSharedRoom({ trackCount: 3 })
    const listeners = [await listen(first, roomId, 'cem'), await listen(second, roomId, 'dee')]
    const before = await listeners[0]!.ask('request_sync', { roomId, queueDeltas: true })
    for (const client of listeners) client.forget()
    const changes = numbers(12)
    await Promise.all(
      changes.map((number) =>
        (number % 2 === 0 ? first : second).call(
          number % 2 === 0 ? owner.user : ann.user,
          'POST',
          `/api/rooms/${roomId}/queue`,
          { trackId: tracks[number % tracks.length]!.id },
        ),
      ),
    )
    const after = await listeners[0]!.ask('request_sync', { roomId, queueDeltas: true })
    expect(after.queue).toHaveLength(before.queue.length + changes.length)
    for (const client of listeners) {
      await vi.waitFor(() => expect(client.all('queueDelta')).toHaveLength(changes.length))
      const deltas = client.all('queueDelta').toSorted((one, other) => one.version - other.version)
      const known: NumberedQueue = { queue: before.queue, version: before.queueVersion ?? 0 }
      const followed = deltas.reduce((queue, delta) => applyQueueDelta(queue, delta) ?? queue, known)
      expect(followed.version).toBe(after.queueVersion)
      expect(entryIds(followed)).toEqual(entryIds(after))
    }
  })

  it('16.118 messages sent to both are in one order for who joins later, and heard once by everybody', async () => {
    const { first, second, roomId, owner, ann } = await openSharedRoom()
    for (const client of [owner, ann]) client.forget()
    const sent = await Promise.all(
      numbers(4).flatMap((number) =>
        [owner, ann].map((client) =>
          client.ask('send_message', { roomId, message: `${client.user.name} ${number}` }),
        ),
      ),
    )
    for (const client of [owner, ann]) {
      await vi.waitFor(() => expect(client.all('message')).toHaveLength(sent.length))
      const ids = client.all('message').map(({ message }) => message.id)
      expect(new Set(ids)).toEqual(new Set(sent.map(({ message }) => message.id)))
    }
    const read = async (app: TestApp, name: string) => {
      const late = await connect(app, await signUp(app, name))
      return (await late.ask('join_room', { roomId })).messages.map((message) => message.id)
    }
    expect(await read(first, 'eve')).toEqual(await read(second, 'fay'))
  })

  it('16.118 a user with a tab on each process is removed from both, and a ban holds on both', async () => {
    const { clock, first, second, roomId, owner, ann } = await openSharedRoom()
    const other = await connect(first, ann.user)
    await other.ask('join_room', { roomId })
    await second.call(owner.user, 'POST', `/api/rooms/${roomId}/bans/${ann.user.id}`, {})
    for (const tab of [ann, other]) {
      expect(await tab.hear('removed_from_room')).toMatchObject({ roomId, reason: 'banned' })
      await expect(tab.ask('direct_command', { roomId, command: 'play' })).rejects.toMatchObject({
        code: 'not_a_member',
      })
      await expect(tab.ask('join_room', { roomId })).rejects.toBeInstanceOf(AppError)
    }
    // No renewal brings either back.
    await owner.hear('userPresence', ({ count }) => count === 1)
    for (const _ of numbers(3)) await clock.advanceAsync(serverLimits.presenceRenewMs)
    const { members } = await owner.ask('request_sync', { roomId })
    expect(members?.map((member) => member.username)).toEqual(['owner'])
  })

  it('16.148 who joins and leaves on both at once is announced to the members of both, and in the end all have one list', async () => {
    const { clock, first, second, roomId, owner, ann } = await openSharedRoom()
    const third = await listen(second, roomId, 'third')
    const watchers = [owner, ann, third]
    const names = numbers(8).map((index) => `guest${index}`)
    const guests = await Promise.all(
      names.map((name, index) => listen(index % 2 === 0 ? first : second, roomId, name)),
    )
    const joinedGuests = (watcher: TestClient) =>
      watcher
        .all('userJoin')
        .map(({ user }) => user.username)
        .filter((name) => names.includes(name))
        .toSorted()
    const present = (watcher: TestClient) =>
      watcher
        .all('userPresence')
        .at(-1)
        ?.users.map((user) => user.username)
    const settle = async (expected: string[]): Promise<void> => {
      await vi.waitFor(() => {
        clock.advance(serverLimits.presenceBatchMs)
        for (const watcher of watchers) expect(present(watcher)?.toSorted()).toEqual(expected.toSorted())
      }, renewable)
    }
    await settle(['owner', 'ann', 'third', ...names])
    await vi.waitFor(() => {
      clock.advance(serverLimits.presenceBatchMs)
      for (const watcher of watchers) expect(joinedGuests(watcher)).toEqual(names)
    }, renewable)
    const [late] = await Promise.all([
      listen(second, roomId, 'late'),
      ...guests.slice(0, 4).map((guest) => guest.ask('user_left', { roomId })),
    ])
    watchers.push(late)
    await settle(['owner', 'ann', 'third', 'late', ...names.slice(4)])
  })

  it('16.118 the controls pass to a member on another process, and back to the owner who returns there', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    await owner.ask('user_left', { roomId })
    await vi.waitFor(() => {
      clock.advance(serverLimits.presenceSweepMs)
      expect(ann.all('roomUpdate').at(-1)?.room.controller?.id).toBe(ann.user.id)
    }, renewable)
    expect((await ann.ask('direct_command', { roomId, command: 'pause' })).state).toBeDefined()
    const back = await connect(second, owner.user)
    await back.ask('join_room', { roomId })
    await ann.hear('roomUpdate', ({ room }) => room.controller === null)
    await expect(ann.ask('direct_command', { roomId, command: 'play' })).rejects.toMatchObject({
      code: 'not_owner',
    })
    await back.ask('direct_command', { roomId, command: 'play' })
  })

  it('16.119 a Redis that is emptied under commands loses no command, and nobody joins anew', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const engines = await makeSharedEngines()
    const apps = [await startApp({ ...engines, clock }), await startApp({ ...engines, clock })] as const
    const { id: roomId, owner } = await openJoinedRoom(apps[0])
    const ann = await joinAs(apps[1], roomId, 'ann')
    const listMemberships = () =>
      apps[0].db
        .selectFrom('user_rooms')
        .selectAll()
        .where('room_id', '=', roomId)
        .orderBy('user_id')
        .execute()
    const before = await listMemberships()
    const redis = new Redis(engines.redisUrl)
    ann.forget()
    for (const number of numbers(6)) {
      if (number % 2 === 0) await redis.flushdb()
      await owner.ask('direct_command', { roomId, command: 'seek', position: number * 1_000 })
    }
    await redis.quit()
    await vi.waitFor(() => expect(ann.all('playback_updated')).toHaveLength(6))
    await vi.waitFor(async () => {
      clock.advance(serverLimits.processRenewMs / 4)
      const { members } = await ann.ask('request_sync', { roomId })
      expect(members?.map((member) => member.username).toSorted()).toEqual(['ann', 'owner'])
    }, renewable)
    expect(await listMemberships()).toEqual(before)
  })
})
