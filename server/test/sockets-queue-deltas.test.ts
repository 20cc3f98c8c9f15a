import { type NumberedQueue, applyQueueDelta } from '@earshot/core/room/queue-delta'
import type { PlayedTrack, QueueCommand } from '@earshot/core/protocol/queue-calls'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, shareApp } from './apps.ts'
import { type TestClient, joinAs, openJoinedRoom, openLongRoom } from './sockets.ts'
import { startTwo } from './two-servers.ts'
import { serverLimits } from '../src/server-limits.ts'
import { callRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const idsOf = (queue: readonly { id: string }[]): string[] => queue.map((entry) => entry.id)

let commands = 0
const send = (client: TestClient, roomId: string, command: QueueCommand, commandId = `c${++commands}`) =>
  client.ask('queue_command', { roomId, command, commandId })

/** Announces differences; returns the queue, and a function that follows it by what the client has heard. */
async function followQueue(client: TestClient, roomId: string) {
  const snapshot = await client.ask('request_sync', { roomId, queueDeltas: true })
  const start: NumberedQueue = { queue: snapshot.queue, version: snapshot.queueVersion! }
  client.forget()
  const follow = () =>
    client
      .all('queueDelta')
      .reduce<NumberedQueue | null>((known, delta) => known && applyQueueDelta(known, delta), start)
  return { queue: snapshot.queue, follow }
}

const wholeQueue = async (client: TestClient, roomId: string) => {
  const { queue, queueVersion } = await client.ask('request_sync', { roomId })
  return { queue, version: queueVersion }
}

const app = shareApp()

describe('differences of the queue over sockets', () => {
  it('17.40 a client that announces them follows every change, and gets no whole queue', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { queue, follow } = await followQueue(listener, roomId)
    const [t2, t3] = queue
    await send(owner, roomId, { type: 'add', trackId: 't1' })
    await send(listener, roomId, { type: 'move', entryId: t3!.entry_id, index: 0 })
    await send(listener, roomId, { type: 'remove', entryId: t2!.entry_id })
    await owner.ask('direct_command', { roomId, command: 'next' })
    await listener.ask('queue_updated', { roomId, queue: [{ id: 't2' }] })
    const whole = await wholeQueue(owner, roomId)
    await vi.waitFor(() => expect(follow()).toEqual(whole))
    expect(idsOf(whole.queue)).toEqual(['t1', 't2'])
    expect(listener.all('queueUpdate')).toEqual([])
    expect(owner.all('queueDelta')).toEqual([])
  })

  it('17.41 with 1000 entries, adding, moving and the end of a track take under 2 kB for each member', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 990)
    const { queue, follow } = await followQueue(owner, roomId)
    const moved: QueueCommand = { type: 'move', entryId: queue.at(-1)!.entry_id, index: 0 }
    for (const command of [{ type: 'add', trackId: 't1' } as const, moved]) {
      owner.forget()
      const ack = await send(owner, roomId, command)
      const { queue: known } = await app.call<{ queue: unknown[] }>(
        owner.user,
        'GET',
        `/api/rooms/${roomId}/queue`,
      )
      expect(known).toHaveLength(991)
      expect(JSON.stringify([ack, ...owner.heard]).length).toBeLessThan(2_000)
    }
    owner.forget()
    await owner.ask('direct_command', { roomId, command: 'next' })
    const sent = owner.heard.filter((event) => event.name === 'queueDelta')
    expect(JSON.stringify(sent).length).toBeLessThan(500)
    expect(follow()).toBeNull()
  })

  it('17.40 a snapshot leaves out the queue that the client has', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const { queueVersion, queue } = await owner.ask('request_sync', { roomId })
    expect(await owner.ask('request_sync', { roomId, queueVersion })).toMatchObject({
      queue: [],
      queueVersion,
      isQueueKnown: true,
    })
    for (const forged of [-1, 999, Number.MAX_SAFE_INTEGER]) {
      const answer = await owner.ask('request_sync', { roomId, queueVersion: forged })
      expect(answer).toMatchObject({ queue, queueVersion })
      expect(answer.isQueueKnown).toBeUndefined()
    }
  })

  it('17.48 others get whole queues, at most one in 500 ms, and always the latest one', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const older = await joinAs(app, roomId, 'older')
    await new Promise((resolve) => setTimeout(resolve, serverLimits.queueUpdateMs + 50))
    older.forget()
    const startedAtMs = performance.now()
    for (let index = 0; index < 15; index++) await send(owner, roomId, { type: 'add', trackId: 't1' })
    const { queueVersion: version } = await owner.ask('request_sync', { roomId })
    const last = await older.hear('queueUpdate', (heard) => heard.version === version)
    expect(last.queue).toHaveLength(17)
    const intervals = (performance.now() - startedAtMs) / serverLimits.queueUpdateMs
    expect(older.all('queueUpdate').length).toBeLessThanOrEqual(Math.ceil(intervals) + 1)
  })
})

describe('commands on the queue over sockets', () => {
  it('17.43 a removal is undone at its place, once, and only where it was made', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const other = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { queue } = await owner.ask('request_sync', { roomId })
    const entryId = queue[0]!.entry_id
    await send(listener, roomId, { type: 'remove', entryId })
    const restore = { type: 'restore', entryId } as const
    await expect(send(other.owner, other.id, restore)).rejects.toEqual(refusal('queue_entry_not_found'))
    expect(await send(listener, roomId, restore)).toMatchObject({ applied: true })
    expect(await send(listener, roomId, restore)).toMatchObject({ applied: false })
    expect((await owner.ask('request_sync', { roomId })).queue).toEqual(queue)
    await expect(send(owner, roomId, { type: 'restore', entryId: 'never-there' })).rejects.toEqual(
      refusal('queue_entry_not_found'),
    )
    // Played is not removed.
    await owner.ask('direct_command', { roomId, command: 'next' })
    await expect(send(owner, roomId, restore)).rejects.toEqual(refusal('queue_entry_not_found'))
  })

  it('17.44 a member clears the own entries, the owner all', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await send(listener, roomId, { type: 'add', trackId: 't1' })
    await send(listener, roomId, { type: 'clear' })
    expect(idsOf((await wholeQueue(owner, roomId)).queue)).toEqual(['t2', 't3'])
    await send(owner, roomId, { type: 'clear' })
    expect((await wholeQueue(owner, roomId)).queue).toEqual([])
  })

  it('17.45 a repeated command is applied once', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const add = { type: 'add', trackId: 't1' } as const
    expect(await send(owner, roomId, add, 'same')).toMatchObject({ applied: true })
    expect(await send(owner, roomId, add, 'same')).toMatchObject({ applied: false })
    expect((await wholeQueue(owner, roomId)).queue).toHaveLength(3)
  })

  it('17.42 the owner plays an entry now, a listener may not', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { queue } = await owner.ask('request_sync', { roomId })
    const play = { type: 'play', entryId: queue[1]!.entry_id } as const
    await expect(send(listener, roomId, play)).rejects.toEqual(refusal('not_owner'))
    await send(owner, roomId, play)
    const { state, queue: left } = await owner.ask('request_sync', { roomId })
    expect(state.track_id).toBe('t3')
    expect(idsOf(left)).toEqual(['t2'])
    await expect(send(owner, roomId, { type: 'move', entryId: 'gone', index: 0 })).rejects.toEqual(
      refusal('queue_entry_not_found'),
    )
  })

  it('17.48 reordering a long queue over and over is limited, and others stay served', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 999)
    const { queue } = await owner.ask('request_sync', { roomId })
    const order = queue.toReversed().map(({ id, entry_id }) => ({ id, entry_id }))
    const rude = await joinAs(app, roomId, 'rude')
    const { points, perMs } = callRates.queue
    // Beside the point that each event costs on arrival.
    const cost = Math.floor(order.length / serverLimits.orderEntriesPerPoint)
    // Repeated where a busy machine takes so long that the limit lets all of them pass.
    await vi.waitFor(
      async () => {
        const startedAtMs = performance.now()
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => rude.askRaw('queue_updated', { roomId, queue: order })),
        )
        const windows = 1 + Math.floor((performance.now() - startedAtMs) / perMs)
        const accepted = answers.filter((answer) => answer.ok).length
        expect(accepted).toBeLessThanOrEqual(windows * Math.floor(points / cost))
        expect(answers.some((answer) => !answer.ok && answer.error.code === 'rate_limited')).toBe(true)
      },
      { timeout: 120_000, interval: perMs },
    )
    expect(await send(owner, roomId, { type: 'remove', entryId: order[0]!.entry_id })).toMatchObject({
      applied: true,
    })
  })

  it('16.157 a room takes a bounded number of entries in whole orders, whoever sends them', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 999)
    const { queue } = await owner.ask('request_sync', { roomId })
    const order = queue.map(({ id, entry_id }) => ({ id, entry_id }))
    const { points, perMs } = callRates.roomOrders
    const members = await Promise.all(['ann', 'ben', 'cem'].map((name) => joinAs(app, roomId, name)))
    const cost = 1 + Math.floor(order.length / serverLimits.orderEntriesPerPoint)
    const perUser = Math.floor(callRates.queue.points / cost)
    // Repeated where a busy machine takes so long that the limit lets all of them pass.
    await vi.waitFor(
      async () => {
        const startedAtMs = performance.now()
        const sent = members.flatMap((member) => Array.from({ length: perUser }, () => member))
        const answers = await Promise.all(
          sent.map((member) => member.askRaw('queue_updated', { roomId, queue: order })),
        )
        const windows = 1 + Math.floor((performance.now() - startedAtMs) / perMs)
        const accepted = answers.filter((answer) => answer.ok).length
        expect(accepted).toBeLessThanOrEqual(windows * Math.floor(points / order.length))
        expect(answers.some((answer) => !answer.ok && answer.error.code === 'rate_limited')).toBe(true)
      },
      { timeout: 120_000, interval: 1_000 },
    )
  })

  it('17.47 entries name who added them, also after they left', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await send(ann, roomId, { type: 'add', trackId: 't1' })
    await ann.ask('user_left', { roomId })
    const { queue } = await owner.ask('request_sync', { roomId })
    expect(queue.at(-1)).toMatchObject({ added_by: ann.user.id, added_by_name: 'ann' })
  })
})

describe('what a room has played', () => {
  type Page = { played: PlayedTrack[]; hasMore: boolean }
  const readHistory = (app: TestApp, client: TestClient, roomId: string, before = '') =>
    app.call<Page>(client.user, 'GET', `/api/rooms/${roomId}/history${before && `?before=${before}`}`)

  it('17.46, 4.14 lists what was heard, and previous goes back through it', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const command = (name: string, rest = {}) =>
      owner.ask('direct_command', { roomId, command: name, ...rest })
    await command('next')
    expect((await readHistory(app, owner, roomId)).played).toEqual([])
    for (let index = 0; index < 2; index++) {
      await command('seek', { position: 60_000 })
      if (index === 0) await command('next')
    }
    const { played } = await readHistory(app, owner, roomId)
    expect(played.map(({ track, added_by_name }) => [track.id, added_by_name])).toEqual([['t2', 'owner']])

    expect((await command('previous')).state).toMatchObject({ track_id: 't3', current_position: 0 })
    expect((await command('previous')).state).toMatchObject({ track_id: 't2' })
    expect((await readHistory(app, owner, roomId)).played).toEqual([])
    expect(idsOf((await wholeQueue(owner, roomId)).queue)).toEqual(['t3'])
    const { room } = await owner.ask('request_sync', { roomId })
    expect(room?.current_added_by).toEqual({ id: owner.user.id, username: 'owner' })
  })

  it('17.46 two who go back at once leave the track that was current in the queue once', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { control: 'everybody' } })
    const previous = { roomId, command: 'previous' }
    await owner.ask('direct_command', { roomId, command: 'seek', position: 60_000 })
    await owner.ask('direct_command', { roomId, command: 'next' })
    const answers = await Promise.all([
      owner.ask('direct_command', previous),
      listener.ask('direct_command', previous),
    ])
    expect(answers.map(({ state }) => state.track_id)).toEqual(['t1', 't1'])
    expect(idsOf((await wholeQueue(owner, roomId)).queue)).toEqual(['t2', 't3'])
  })

  it('17.46 keeps the last 100, in pages, for members', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 110)
    const actor = { kind: 'user', id: owner.user.id, isMember: true } as const
    for (let index = 0; index < 105; index++) {
      await app.rooms.runtime.runCommand(roomId, { type: 'seek', positionMs: 1_000 }, actor)
      await app.rooms.runtime.runCommand(roomId, { type: 'next' }, actor)
    }
    const first = await readHistory(app, owner, roomId)
    expect(first).toMatchObject({ hasMore: true })
    expect(first.played).toHaveLength(50)
    const second = await readHistory(app, owner, roomId, first.played.at(-1)!.id)
    expect(second).toMatchObject({ hasMore: false })
    expect(new Set([...first.played, ...second.played].map(({ id }) => id)).size).toBe(100)
    const stranger = await joinAs(app, (await openJoinedRoom(app)).id, 'stranger')
    await expect(readHistory(app, stranger, roomId)).rejects.toEqual(refusal('not_a_member'))
  })
})

it('17.40, 17.48 both kinds of clients follow changes made on another server process', async () => {
  const [one, two] = await startTwo()
  const { id: roomId, owner } = await openJoinedRoom(one)
  const older = await joinAs(two, roomId, 'older')
  const newer = await joinAs(two, roomId, 'newer')
  const { follow } = await followQueue(newer, roomId)
  await send(owner, roomId, { type: 'add', trackId: 't1' })
  const whole = await wholeQueue(owner, roomId)
  await vi.waitFor(() => expect(follow()).toEqual(whole))
  await older.hear('queueUpdate', (heard) => heard.version === whole.version)
})
