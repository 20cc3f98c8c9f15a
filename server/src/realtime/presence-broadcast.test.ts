import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase, describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { createEventBus } from '../events.ts'
import type { Presence } from '../presence/presence.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { openRoom } from '../rooms/testing/fixtures.ts'
import { startPresenceBroadcast } from './presence-broadcast.ts'
import type { RoomServer } from './room-sockets.ts'
import { serverLimits } from '../server-limits.ts'

/** A room without members, and the events that it is sent, each with whom it names. */
async function startInRoom(db: Db, { isShared = false, wrap = (presence: Presence) => presence } = {}) {
  const [clock, logger] = [createFakeClock(), pino({ level: 'error' })]
  const { id: roomId } = await openRoom(db, clock)
  const [io, events, presence] = [new Server(), createEventBus(logger), createMemoryPresence(clock)]
  const sent: string[] = []
  io.sockets.adapter.broadcast = ({ data: [name, { user, users }] }) => {
    const members: { id: string }[] = users ?? [user]
    sent.push([name, ...members.map(({ id }) => id)].join(' '))
  }
  const parts = {
    io: io as unknown as RoomServer,
    db,
    clock,
    logger,
    events,
    presence: wrap(presence),
    isShared,
  }
  const stop = startPresenceBroadcast(parts)
  onTestFinished(stop)
  const join = async (id: string): Promise<void> => {
    const member = { id, username: id, avatar_url: null, is_owner: false }
    await presence.acquire([{ roomId, userId: id, holderId: 's', member, isConnected: true }], 10_000)
    void events.emit('memberJoined', { roomId, member, isBack: false })
  }
  return { roomId, clock, events, sent, join, stop }
}

/** A presence whose lists of members, once `hold` was called, come with `letGo`, as they were when they were asked for. */
function holdReads() {
  const held: (() => void)[] = []
  const counted: string[] = []
  let isHolding = false
  const wrap = (presence: Presence): Presence => ({
    ...presence,
    async listMembers(...query) {
      const members = await presence.listMembers(...query)
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      return members
    },
    countMembers(roomId) {
      counted.push(roomId)
      return presence.countMembers(roomId)
    },
  })
  const letGo = (): void => {
    isHolding = false
    for (const resolve of held) resolve()
  }
  return { wrap, held, counted, hold: () => (isHolding = true), letGo }
}

describeDatabases('the members of a small room', (open) => {
  it('16.146 who joined until the members are read are announced together, in order, with one list', async () => {
    const { sent, join } = await startInRoom(await open())
    for (const id of ['ann', 'ben', 'cem']) await join(id)
    await vi.waitFor(() => expect(sent).toContain('userPresence ann ben cem'))
    expect(sent).toEqual(['userJoin ann', 'userJoin ben', 'userJoin cem', 'userPresence ann ben cem'])
    await join('dan')
    await vi.waitFor(() => expect(sent.slice(4)).toEqual(['userJoin dan', 'userPresence ann ben cem dan']))
  })
})

/** A room of which a list of the members, to be repeated for those of other processes, is being read. */
async function startReading() {
  const { wrap, held, counted, hold, letGo } = holdReads()
  const room = await startInRoom(await borrowDatabase(), { isShared: true, wrap })
  await room.join('ann')
  await vi.waitFor(() => expect(room.clock.pending).toBe(1))
  hold()
  onTestFinished(letGo)
  room.clock.advance(serverLimits.presenceBatchMs)
  await vi.waitFor(() => expect(held).toHaveLength(1))
  return { ...room, counted, letGo }
}

it('16.312 members are read one time after the other, so that the list sent last is the newest', async () => {
  const { counted, join, letGo, sent } = await startReading()
  const before = counted.length
  await join('ben')
  // A reading begins with the number of members.
  expect(counted).toHaveLength(before)
  letGo()
  await vi.waitFor(() => expect(sent.at(-1)).toBe('userPresence ann ben'))
})

it('16.311 closing waits for the members that a timer sends', async () => {
  const { clock, letGo, sent, stop } = await startReading()
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await clock.advanceAsync(0)
  expect(isStopped).toBe(false)
  letGo()
  await stopped
  expect(sent).toEqual(['userJoin ann', 'userPresence ann', 'userPresence ann'])
})

it('the members of a room that was deleted are sent no more', async () => {
  const { roomId, clock, events, join } = await startInRoom(await borrowDatabase(), { isShared: true })
  await join('ann')
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  await events.emit('roomClosed', { roomId, reason: 'deleted', isRemote: false })
  expect(clock.pending).toBe(0)
})
