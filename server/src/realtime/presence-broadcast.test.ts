import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createEventBus } from '../events.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { openRoom } from '../rooms/testing/fixtures.ts'
import { startPresenceBroadcast } from './presence-broadcast.ts'
import type { RoomServer } from './room-sockets.ts'

describeDatabases('the members of a small room', (open) => {
  it('16.146 who joined until the members are read are announced together, in order, with one list', async () => {
    const [db, clock, logger] = [await open(), createFakeClock(), pino({ level: 'error' })]
    const { id: roomId } = await openRoom(db, clock)
    const [io, events, presence] = [new Server(), createEventBus(logger), createMemoryPresence(clock)]
    const sent: string[] = []
    io.sockets.adapter.broadcast = ({ data: [name, { user, users }] }) => {
      const members: { id: string }[] = users ?? [user]
      sent.push([name, ...members.map(({ id }) => id)].join(' '))
    }
    const parts = { io: io as unknown as RoomServer, db, clock, logger, events, presence, isShared: false }
    onTestFinished(startPresenceBroadcast(parts))

    const join = async (id: string): Promise<void> => {
      const member = { id, username: id, avatar_url: null, is_owner: false }
      await presence.acquire([{ roomId, userId: id, holderId: 's', member, isConnected: true }], 10_000)
      void events.emit('memberJoined', { roomId, member, isBack: false })
    }
    for (const id of ['ann', 'ben', 'cem']) await join(id)
    await vi.waitFor(() => expect(sent).toContain('userPresence ann ben cem'))
    expect(sent).toEqual(['userJoin ann', 'userJoin ben', 'userJoin cem', 'userPresence ann ben cem'])
    await join('dan')
    await vi.waitFor(() => expect(sent.slice(4)).toEqual(['userJoin dan', 'userPresence ann ben cem dan']))
  })
})
