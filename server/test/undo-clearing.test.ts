import { limits } from '@earshot/core/limits'
import { type NumberedQueue, applyQueueDelta } from '@earshot/core/room/queue-delta'
import type { QueueCommand } from '@earshot/core/protocol/queue-calls'
import { expect, it, vi } from 'vitest'
import { shareApp } from './apps.ts'
import { type TestClient, joinAs, openJoinedRoom, storeTracks } from './sockets.ts'
import { callRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })

let commands = 0
const send = (client: TestClient, roomId: string, command: QueueCommand, commandId = `c${++commands}`) =>
  client.ask('queue_command', { roomId, command, commandId })

const readQueue = async (client: TestClient, roomId: string) => {
  const { queue, queueVersion } = await client.ask('request_sync', { roomId, queueDeltas: true })
  return { queue, version: queueVersion! }
}

const app = shareApp()

/** A room with a current track, and so many in its queue. */
async function openLongRoom(count: number) {
  const room = await openJoinedRoom(app, { trackCount: 1 })
  await storeTracks(app.db, 3)
  const queue = Array.from({ length: count }, (_, index) => ({ id: `t${(index % 3) + 1}` }))
  await room.owner.ask('queue_updated', { roomId: room.id, queue })
  return room
}

it('17.475 one command undoes a clearing, as one change, for who cleared, and once', async () => {
  const { id: roomId, owner } = await openLongRoom(40)
  const listener = await joinAs(app, roomId, 'listener')
  const known = await readQueue(listener, roomId)
  await send(owner, roomId, { type: 'clear' }, 'clearing')
  await send(listener, roomId, { type: 'add', trackId: 't1' })
  const { version } = await readQueue(owner, roomId)
  const undo = { type: 'restore_cleared', clearId: 'clearing' } as const
  await expect(send(listener, roomId, undo)).rejects.toEqual(refusal('queue_entry_not_found'))
  const single = { type: 'restore', entryId: known.queue[0]?.entry_id ?? '' } as const
  await expect(send(listener, roomId, single)).rejects.toEqual(refusal('queue_entry_not_found'))
  expect(await send(owner, roomId, undo, 'undoing')).toEqual({ applied: true, queueVersion: version + 1 })
  expect(await send(owner, roomId, undo, 'undoing')).toMatchObject({ applied: false })
  await expect(send(owner, roomId, undo)).rejects.toEqual(refusal('queue_entry_not_found'))
  const whole = await readQueue(owner, roomId)
  expect(whole.queue.slice(0, 40)).toEqual(known.queue)
  expect(whole.queue).toHaveLength(41)
  const follow = () =>
    listener
      .all('queueDelta')
      .reduce<NumberedQueue | null>((last, delta) => last && applyQueueDelta(last, delta), known)
  await vi.waitFor(() => expect(follow()).toEqual(whole))
  expect(listener.all('queueDelta').filter((delta) => delta.version === version + 1)).toHaveLength(1)
})

it('17.475 a member brings back the own tracks between those of others, and a full queue as many as fit', async () => {
  const { id: roomId, owner } = await openLongRoom(limits.queueMaxLength - 4)
  const listener = await joinAs(app, roomId, 'listener')
  const add = (client: TestClient, count: number) =>
    Promise.all(Array.from({ length: count }, () => send(client, roomId, { type: 'add', trackId: 't2' })))
  await add(listener, 3)
  await send(listener, roomId, { type: 'clear' }, 'own')
  await add(owner, 2)
  const undo = { type: 'restore_cleared', clearId: 'own' } as const
  expect(await send(listener, roomId, undo)).toMatchObject({ applied: true, omitted: 1 })
  const { queue } = await readQueue(owner, roomId)
  expect(queue).toHaveLength(limits.queueMaxLength)
  const own = queue.filter(({ added_by: by }) => by === listener.user.id)
  expect(own.map(({ position }) => position)).toEqual([996, 997])
})

it('16.157, 17.475 an Undo counts as an order of as many entries, and can be repeated where it was refused', async () => {
  const { id: roomId, owner } = await openLongRoom(40)
  await send(owner, roomId, { type: 'clear' }, 'costly')
  const { roomOrders } = app.rooms.limiters
  const points = callRates.roomOrders.points - 39
  await roomOrders.reward(roomId, callRates.roomOrders.points)
  await roomOrders.penalty(roomId, callRates.roomOrders.points + points)
  const undo = { type: 'restore_cleared', clearId: 'costly' } as const
  await expect(send(owner, roomId, undo)).rejects.toEqual(refusal('rate_limited'))
  expect((await readQueue(owner, roomId)).queue).toEqual([])
  await roomOrders.reward(roomId, points)
  expect(await send(owner, roomId, undo)).toMatchObject({ applied: true })
})
