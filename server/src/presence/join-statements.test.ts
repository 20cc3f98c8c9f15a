import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { insertBan } from '../db/room-bans.ts'
import { createRoomSnapshots } from '../rooms/room-snapshots.ts'
import { openRoom } from '../rooms/testing/fixtures.ts'
import { createJoinStatements } from './join-statements.ts'
import { createMemoryPresence } from './presence-memory.ts'

const ids = Array.from({ length: 200 }, (_, index) => `u${index}`)

describeDatabases('joins at once', (open) => {
  it('16.81 share statements: 200 joins write twice and read each kind of row twice', async () => {
    const db = await open()
    const clock = createFakeClock()
    const room = await openRoom(db, clock)
    await insertBan({ db, clock }, { roomId: room.id, userId: 'u7', bannedBy: 'owner' })
    const statements = createJoinStatements({ db, clock })
    const writes = vi.spyOn(db, 'insertInto')
    const reads = vi.spyOn(db, 'selectFrom')

    const insert = (userId: string) =>
      statements.insertMembership({ userId, roomId: room.id, joinedAtMs: clock.now() })
    const isNew = await Promise.all([...ids, ...ids].map(insert))
    expect(isNew.filter(Boolean)).toHaveLength(200)
    expect(await insert('u1')).toBe(false)
    expect(writes).toHaveBeenCalledTimes(4)

    const banned = await Promise.all(ids.map((userId) => statements.isBanned({ roomId: room.id, userId })))
    expect(ids.filter((_, index) => banned[index])).toEqual(['u7'])
    const rooms = await Promise.all(ids.map(() => statements.findRoom(room.id)))
    expect(new Set(rooms.map((found) => found?.name))).toEqual(new Set(['Room']))
    expect(await statements.findRoom('nowhere')).toBeNull()
    expect(await statements.findProfile('nobody')).toBeNull()
    expect(reads).toHaveBeenCalledTimes(6)

    // Nobody was banned with an address: nothing is read of the guests.
    const isAddressBanned = (id: string) => statements.isAddressBanned(room.id, { id, isGuest: true })
    expect((await Promise.all(ids.map(isAddressBanned))).some(Boolean)).toBe(false)
    expect(reads).toHaveBeenCalledTimes(8)
  })

  it('16.81 a ban is seen by every join that is checked after it', async () => {
    const db = await open()
    const clock = createFakeClock()
    const room = await openRoom(db, clock)
    const statements = createJoinStatements({ db, clock })
    const key = { roomId: room.id, userId: 'ann' }
    const earlier = [statements.isBanned(key), statements.isBanned(key)]
    await insertBan({ db, clock }, { ...key, bannedBy: 'owner' })
    expect(await statements.isBanned(key)).toBe(true)
    await Promise.all(earlier)
  })

  it('16.81 share a snapshot that is taken after the last of them joined', async () => {
    const db = await open()
    const clock = createFakeClock()
    const room = await openRoom(db, clock)
    const presence = createMemoryPresence(clock)
    const snapshots = createRoomSnapshots({ db, clock, presence })
    const taken = await Promise.all(
      ids.map(async (userId) => {
        const member = { id: userId, username: userId, avatar_url: null, is_owner: false }
        const lease = { roomId: room.id, userId, holderId: userId, member, isConnected: true }
        await presence.acquire([lease], 60_000)
        return {
          userId,
          snapshot: await snapshots.takeSnapshot(room.id, { version: null, isStartEnough: false }),
        }
      }),
    )
    expect(new Set(taken.map(({ snapshot }) => snapshot)).size).toBeLessThanOrEqual(3)
    const isIn = taken.map(({ userId, snapshot }) => snapshot.members.some(({ id }) => id === userId))
    expect(isIn.every(Boolean)).toBe(true)
  })
})
