import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { findListedRoom } from '../db/rooms.ts'
import { isMember } from '../db/user-rooms.ts'
import { createRoomAccess } from '../rooms/room-access.ts'
import { createMembership, httpSeatId } from './membership.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { createRateLimiter } from '../limits/rate-limits.ts'
import type { Presence } from './presence.ts'
import { reapMemberships } from './presence-expiry.ts'
import { listenToBroadcasts, makeUser, openRoom } from '../rooms/testing/fixtures.ts'

function start(db: Db, clock = createFakeClock(), presence = createMemoryPresence(clock)) {
  const access = createRoomAccess({ db, clock, tries: createRateLimiter('tries', limits.rates.roomPassword) })
  const broadcasts = listenToBroadcasts()
  const ownersArrived: string[] = []
  const dropped: string[] = []
  const membership = createMembership({
    db,
    clock,
    presence,
    access,
    broadcasts,
    ownerArrived: (roomId) => ownersArrived.push(roomId),
    memberDropped: async (roomId) => void dropped.push(roomId),
  })
  return { db, clock, presence, access, membership, ownersArrived, dropped, heard: broadcasts.heard }
}

const user = makeUser('ann')

describeDatabases('membership', (open) => {
  it('4.7b, 3.4, 7.2 whoever joins is a member and counted, once, however many sockets they have', async () => {
    const { db, clock, membership, heard } = start(await open())
    const room = await openRoom(db, clock)
    await membership.admit(room.id, user.id, null)
    expect(await isMember(db, room.id, user.id)).toBe(false)
    expect(await membership.enter(room, user, 's1')).toBe(true)
    expect(await membership.enter(room, user, 's2')).toBe(false)
    expect(await membership.enter(room, makeUser('ben'), 's3')).toBe(true)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(2)
    expect(heard).toEqual(['joined: ann', 'joined: ben'])
  })

  it('4.7a, 8.1a a room that does not exist cannot be joined', async () => {
    const { membership } = start(await open())
    await expect(membership.admit('nowhere', user.id, null)).rejects.toMatchObject({
      code: 'room_not_found',
      message: 'Room not found',
    })
  })

  it('4.9a leaving ends the membership with the last socket, and twice is as good as once', async () => {
    const { db, clock, membership, heard } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, user, 's2')
    const leave = (seatId: string) => membership.leave({ roomId: room.id, userId: user.id, seatId })
    await leave('s1')
    expect((await findListedRoom(db, room.id))?.listeners).toBe(1)
    await leave('s2')
    await leave('s2')
    expect((await findListedRoom(db, room.id))?.listeners).toBe(0)
    expect(heard).toEqual(['joined: ann', 'members'])
  })

  it('a socket that drops and comes back within the grace is not noticed', async () => {
    const { db, clock, membership, heard } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.drop('s1')
    clock.advance(limits.presenceGraceMs - 1)
    await membership.expire()
    expect(await membership.enter(room, user, 's2')).toBe(false)
    clock.advance(1)
    await membership.expire()
    expect(heard).toEqual(['joined: ann'])
    expect(await isMember(db, room.id, user.id)).toBe(true)

    await membership.drop('s2')
    clock.advance(limits.presenceGraceMs)
    await membership.expire()
    expect(heard).toEqual(['joined: ann', 'members'])
    expect(await isMember(db, room.id, user.id)).toBe(false)
  })

  it('4.13b it is told when somebody may be gone whom a cue waits for, for whatever reason', async () => {
    const { db, clock, membership, dropped } = start(await open())
    const room = await openRoom(db, clock)
    for (const seatId of ['s1', 's2', 's3', 's4']) await membership.enter(room, makeUser(seatId), seatId)
    expect(dropped).toEqual([])
    await membership.drop('s1')
    await membership.leave({ roomId: room.id, userId: 's2', seatId: 's2' })
    await membership.leaveEverywhere(room.id, 's3')
    expect(dropped).toHaveLength(3)
    clock.advance(limits.presenceLeaseMs)
    await membership.expire()
    expect(dropped).toEqual(Array.from({ length: 4 }, () => room.id))
  })

  it('the seats of live sockets are renewed', async () => {
    const { db, clock, membership } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    for (let turn = 0; turn < 10; turn++) {
      clock.advance(limits.presenceRenewMs)
      await membership.renew()
      await membership.expire()
    }
    expect(await isMember(db, room.id, user.id)).toBe(true)
  })

  it('a seat that is given up while leases are renewed stays given up', async () => {
    const clock = createFakeClock()
    const near = createMemoryPresence(clock)
    let arrive = Promise.resolve()
    // Far away, as Redis is: what is asked arrives later, and may be overtaken.
    const far = {
      ...near,
      hold: async (...seats: Parameters<Presence['hold']>) => arrive.then(() => near.hold(...seats)),
    }
    const { db, membership, presence } = start(await open(), clock, far)
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, makeUser('ben'), 's2')

    let deliver = (): void => {}
    arrive = new Promise((resolve) => (deliver = resolve))
    const renewing = membership.renew()
    const leaving = membership.leave({ roomId: room.id, userId: user.id, seatId: 's1' })
    const dropping = membership.drop('s2')
    deliver()
    await Promise.all([renewing, leaving, dropping])
    expect(await presence.findPresent(room.id, ['ann', 'ben'])).toEqual(new Set(['ben']))
    clock.advance(limits.presenceGraceMs)
    await membership.expire()
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('a member whose lease another process let go of is a member again when it is renewed', async () => {
    const { db, clock, membership, presence, heard } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    clock.advance(limits.presenceLeaseMs)
    await membership.expire()
    expect(await isMember(db, room.id, user.id)).toBe(false)
    await membership.renew()
    expect(await isMember(db, room.id, user.id)).toBe(true)
    expect(await presence.countMembers(room.id)).toBe(1)
    expect(heard).toEqual(['joined: ann', 'members', 'joined: ann'])
  })

  it('a member without a socket stays by calling, and is gone a while after the last call', async () => {
    const { db, clock, membership, presence } = start(await open())
    const room = await openRoom(db, clock)
    await expect(membership.requireMember(room.id, user)).rejects.toMatchObject({ code: 'not_a_member' })
    await expect(membership.requireMember('nowhere', user)).rejects.toMatchObject({ code: 'room_not_found' })
    await membership.enter(room, user, httpSeatId)
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(limits.httpPresenceLeaseMs - 1)
      await membership.expire()
      await membership.requireMember(room.id, user)
    }
    expect(await presence.countMembers(room.id)).toBe(1)
    clock.advance(limits.httpPresenceLeaseMs)
    await membership.expire()
    await expect(membership.requireMember(room.id, user)).rejects.toMatchObject({ code: 'not_a_member' })
  })

  it('a call of a member who has a socket does not keep them there after the socket is gone', async () => {
    const { db, clock, membership, presence } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.requireMember(room.id, user)
    await membership.leave({ roomId: room.id, userId: user.id, seatId: 's1' })
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('7.3 leaving by call takes the user out wherever they sit, and is idempotent', async () => {
    const { db, clock, membership, heard } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, user, 's2')
    await membership.leaveEverywhere(room.id, user.id)
    await membership.leaveEverywhere(room.id, user.id)
    expect(await isMember(db, room.id, user.id)).toBe(false)
    expect(heard).toEqual(['joined: ann', 'members', 'removed: ann'])
    clock.advance(limits.presenceRenewMs)
    await membership.renew()
    expect(await isMember(db, room.id, user.id)).toBe(false)
  })

  it('4.7c it is told when the owner arrives, and not when they only reload', async () => {
    const { db, clock, membership, ownersArrived } = start(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    expect(ownersArrived).toEqual([])
    await membership.enter(room, makeUser('owner'), 's2')
    await membership.drop('s2')
    await membership.enter(room, makeUser('owner'), 's3')
    expect(ownersArrived).toEqual([room.id])
  })
})

describeDatabases('reaping', (open) => {
  it('7.2 memberships that a dead server left behind are removed, those of people who came back are not', async () => {
    const db = await open()
    const before = start(db)
    const room = await openRoom(db, before.clock)
    for (const name of ['ann', 'ben', 'cem']) await before.membership.enter(room, makeUser(name), name)

    // The server dies; its presence is gone with it.
    const after = start(db, before.clock)
    await after.membership.enter(room, makeUser('ben'), 'again')
    expect(await reapMemberships(after)).toBe(0)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(3)

    after.clock.advance(limits.reapStartGraceMs + 1)
    await after.membership.renew()
    await after.membership.enter(room, makeUser('dee'), 'new')
    expect(await reapMemberships(after)).toBe(2)
    expect(await reapMemberships(after)).toBe(0)
    expect(await isMember(db, room.id, 'ben')).toBe(true)
    expect(await isMember(db, room.id, 'dee')).toBe(true)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(2)
  })

  it('goes through any number of memberships', async () => {
    const { db, clock, presence } = start(await open())
    const rooms = [await openRoom(db, clock), await openRoom(db, clock)]
    const rows = rooms.flatMap((room) =>
      Array.from({ length: 600 }, (_, index) => ({ room_id: room.id, user_id: `u${index}`, joined_at: 0 })),
    )
    await db.insertInto('user_rooms').values(rows).execute()
    expect(await reapMemberships({ db, clock, presence })).toBe(1_200)
  })
})

describeDatabases('private rooms', (open) => {
  it('6.4a joining asks for the password, and a wrong one is a clear error', async () => {
    const { db, clock, membership } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const admit = (password: string | null) => membership.admit(room.id, user.id, password)
    await expect(admit(null)).rejects.toMatchObject({ code: 'password_required' })
    await expect(admit('  ')).rejects.toMatchObject({ code: 'password_required' })
    await expect(admit('wrong')).rejects.toMatchObject({ code: 'wrong_password' })
    await expect(admit('sesame')).resolves.toMatchObject({ id: room.id })
  })

  it('6.4b whoever gave the password once is admitted from then on, and the owner always', async () => {
    const { db, clock, membership, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    await membership.admit(room.id, user.id, 'sesame')
    await membership.admit(room.id, user.id, null)
    await membership.admit(room.id, 'owner', null)
    expect(await access.isAdmitted(room, user.id)).toBe(true)
    expect(await access.isAdmitted(room, 'stranger')).toBe(false)
    expect(await access.isAdmitted(room, null)).toBe(false)
  })

  it('6.4a tries are limited to 5 a minute for a user and room, also with the right password', async () => {
    const { db, clock, membership } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const other = await openRoom(db, clock, 'sesame')
    for (let turn = 0; turn < 5; turn++) {
      await expect(membership.admit(room.id, user.id, 'wrong')).rejects.toMatchObject({
        code: 'wrong_password',
      })
    }
    await expect(membership.admit(room.id, user.id, 'sesame')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterMs: expect.any(Number) },
    })
    await membership.admit(room.id, 'ben', 'sesame')
    await membership.admit(other.id, user.id, 'sesame')
  })
})
