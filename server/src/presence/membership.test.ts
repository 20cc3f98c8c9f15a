import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { findListedRoom } from '../db/rooms.ts'
import { deleteMemberships, isMember } from '../db/user-rooms.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { type Presence, httpHolderId } from './presence.ts'
import { insertBan } from '../db/room-bans.ts'
import { makeUser, openRoom } from '../rooms/testing/fixtures.ts'
import { startMembership } from './testing/membership.ts'
import { serverLimits } from '../server-limits.ts'

const user = makeUser('ann')

describeDatabases('membership', (open) => {
  it('4.7b, 3.4, 7.2 a user who joins is a member and counted once, with any number of sockets', async () => {
    const { db, clock, membership, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.admit(room.id, user, {})
    expect(await isMember(db, room.id, user.id)).toBe(false)
    expect(await membership.enter(room, user, 's1')).toBe(true)
    expect(await membership.enter(room, user, 's2')).toBe(false)
    expect(await membership.enter(room, makeUser('ben'), 's3')).toBe(true)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(2)
    expect(recorded).toEqual(['joined: ann', 'joined: ben'])
  })

  it('4.7a, 8.1a a room that does not exist cannot be joined', async () => {
    const { membership } = startMembership(await open())
    await expect(membership.admit('nowhere', user, {})).rejects.toMatchObject({
      code: 'room_not_found',
      message: 'Room not found',
    })
  })

  it('16.135 who enters a room that is deleted meanwhile is told so, is present nowhere, and keeps nobody out of another room', async () => {
    const { db, clock, membership, presence, recorded } = startMembership(await open())
    const [deleted, other] = [await openRoom(db, clock), await openRoom(db, clock)]
    await db.deleteFrom('rooms').where('id', '=', deleted.id).execute()
    const [gone, entered] = await Promise.allSettled([
      membership.enter(deleted, user, 's1'),
      membership.enter(other, makeUser('ben'), 's2'),
    ])
    expect(gone).toMatchObject({ status: 'rejected', reason: { code: 'room_not_found' } })
    expect(entered).toMatchObject({ status: 'fulfilled', value: true })
    await membership.renewLeases()
    expect(await presence.countMembers(deleted.id)).toBe(0)
    expect(recorded).toEqual(['joined: ben'])
  })

  it('16.135 a room of which this process did not hear that it was deleted does not end the renewal of other rooms', async () => {
    const { db, clock, membership, presence } = startMembership(await open())
    const [deleted, other] = [await openRoom(db, clock), await openRoom(db, clock)]
    await membership.enter(deleted, user, 's1')
    await membership.enter(other, makeUser('ben'), 's2')
    await db.deleteFrom('rooms').where('id', '=', deleted.id).execute()
    clock.advance(serverLimits.presenceLeaseMs)
    await presence.expire()
    await deleteMemberships(db, other.id, ['ben'])
    await membership.renewLeases()
    expect(await presence.countMembers(deleted.id)).toBe(0)
    expect(await isMember(db, other.id, 'ben')).toBe(true)
  })

  it('4.9a leaving ends the membership with the last socket, and is idempotent', async () => {
    const { db, clock, membership, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, user, 's2')
    const leave = (holderId: string) => membership.leave({ roomId: room.id, userId: user.id, holderId })
    await leave('s1')
    expect((await findListedRoom(db, room.id))?.listeners).toBe(1)
    await leave('s2')
    await leave('s2')
    expect((await findListedRoom(db, room.id))?.listeners).toBe(0)
    expect(recorded).toEqual(['joined: ann', 'members'])
  })

  it('a socket that reconnects within the grace period goes unnoticed', async () => {
    const { db, clock, membership, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.disconnect('s1')
    clock.advance(serverLimits.presenceGraceMs - 1)
    await membership.expireLeases()
    expect(await membership.enter(room, user, 's2')).toBe(false)
    clock.advance(1)
    await membership.expireLeases()
    expect(recorded).toEqual(['joined: ann'])
    expect(await isMember(db, room.id, user.id)).toBe(true)

    await membership.disconnect('s2')
    clock.advance(serverLimits.presenceGraceMs)
    await membership.expireLeases()
    expect(recorded).toEqual(['joined: ann', 'members'])
    expect(await isMember(db, room.id, user.id)).toBe(false)
  })

  it('16.301 sockets that disconnect at once share a call of presence, and each has its grace period', async () => {
    const clock = createFakeClock()
    const memory = createMemoryPresence(clock)
    let calls = 0
    const acquire: Presence['acquire'] = (leases, ttlMs) => {
      calls += 1
      return memory.acquire(leases, ttlMs)
    }
    const { db, membership, dropped } = startMembership(await open(), clock, { ...memory, acquire })
    const room = await openRoom(db, clock)
    const users = Array.from({ length: 100 }, (_, index) => makeUser(`u${index}`))
    await Promise.all(users.map((each) => membership.enter(room, each, `socket of ${each.id}`)))
    calls = 0
    await Promise.all(users.map((each) => membership.disconnect(`socket of ${each.id}`)))
    expect(calls).toBeLessThanOrEqual(2)
    expect(dropped).toHaveLength(100)
    clock.advance(serverLimits.presenceGraceMs)
    await membership.expireLeases()
    expect(await memory.countMembers(room.id)).toBe(0)
  })

  it('4.13b memberDropped is emitted whenever a connection ends, for any reason', async () => {
    const { db, clock, membership, dropped } = startMembership(await open())
    const room = await openRoom(db, clock)
    for (const holderId of ['s1', 's2', 's3', 's4'])
      await membership.enter(room, makeUser(holderId), holderId)
    expect(dropped).toEqual([])
    await membership.disconnect('s1')
    await membership.leave({ roomId: room.id, userId: 's2', holderId: 's2' })
    await membership.leaveEverywhere(room.id, 's3')
    expect(dropped).toHaveLength(3)
    clock.advance(serverLimits.presenceLeaseMs)
    await membership.expireLeases()
    expect(dropped).toEqual(Array.from({ length: 4 }, () => room.id))
  })

  it('the leases of connected sockets are renewed', async () => {
    const { db, clock, membership } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    for (let turn = 0; turn < 10; turn++) {
      clock.advance(serverLimits.presenceRenewMs)
      await membership.renewLeases()
      await membership.expireLeases()
    }
    expect(await isMember(db, room.id, user.id)).toBe(true)
  })

  it('a lease released during a renewal stays released', async () => {
    const clock = createFakeClock()
    const near = createMemoryPresence(clock)
    let arrive = Promise.resolve()
    // Remote, as Redis is: calls arrive later and may overtake each other.
    const far = {
      ...near,
      acquire: async (...leases: Parameters<Presence['acquire']>) =>
        arrive.then(() => near.acquire(...leases)),
    }
    const { db, membership, presence } = startMembership(await open(), clock, far)
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, makeUser('ben'), 's2')

    let deliver = (): void => {}
    arrive = new Promise((resolve) => (deliver = resolve))
    const renewing = membership.renewLeases()
    const leaving = membership.leave({ roomId: room.id, userId: user.id, holderId: 's1' })
    const dropping = membership.disconnect('s2')
    deliver()
    await Promise.all([renewing, leaving, dropping])
    expect(await presence.findPresent(room.id, ['ann', 'ben'])).toEqual(new Set(['ben']))
    clock.advance(serverLimits.presenceGraceMs)
    await membership.expireLeases()
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('a member whose lease another process expired is a member again after its renewal', async () => {
    const { db, clock, membership, presence, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    clock.advance(serverLimits.presenceLeaseMs)
    await membership.expireLeases()
    expect(await isMember(db, room.id, user.id)).toBe(false)
    await membership.renewLeases()
    expect(await isMember(db, room.id, user.id)).toBe(true)
    expect(await presence.countMembers(room.id)).toBe(1)
    expect(recorded).toEqual(['joined: ann', 'members', 'joined: ann'])
  })

  it('16.195 a renewal whose answer is lost leaves no present member without a membership', async () => {
    const clock = createFakeClock()
    const near = createMemoryPresence(clock)
    let losesAnswers = false
    const far = {
      ...near,
      acquire: async (...leases: Parameters<Presence['acquire']>) => {
        const newcomers = await near.acquire(...leases)
        if (losesAnswers) throw new Error('Command timed out')
        return newcomers
      },
    }
    const { db, membership, presence, recorded } = startMembership(await open(), clock, far)
    const room = await openRoom(db, clock)
    const [ben, cem] = [makeUser('ben'), makeUser('cem')]
    for (const member of [user, ben, cem]) await membership.enter(room, member, member.id)
    // Another process expires them while Redis is out of reach, and one of them is banned.
    clock.advance(serverLimits.presenceLeaseMs)
    await membership.expireLeases()
    recorded.length = 0
    await insertBan({ db, clock }, { roomId: room.id, userId: cem.id, bannedBy: 'owner' })
    losesAnswers = true
    await expect(membership.renewLeases()).rejects.toThrow('timed out')
    losesAnswers = false
    for (let turn = 0; turn < 2; turn++) await membership.renewLeases()
    expect(await presence.findPresent(room.id, ['ann', 'ben', 'cem'])).toEqual(new Set(['ann', 'ben']))
    expect((await findListedRoom(db, room.id))?.listeners).toBe(2)
    expect(recorded.toSorted()).toEqual(['joined: ann', 'joined: ben', 'removed: cem'])
  })

  it('16.199 a socket that drops after another process removed its member leaves nobody present', async () => {
    const { db, clock, membership, presence } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await presence.releaseUser(room.id, user.id)
    await deleteMemberships(db, room.id, [user.id])
    await membership.disconnect('s1')
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('a member without a socket stays present by HTTP calls, until some time after the last', async () => {
    const { db, clock, membership, presence } = startMembership(await open())
    const room = await openRoom(db, clock)
    await expect(membership.requireMember(room.id, user)).rejects.toMatchObject({ code: 'not_a_member' })
    await expect(membership.requireMember('nowhere', user)).rejects.toMatchObject({ code: 'room_not_found' })
    await membership.enter(room, user, httpHolderId)
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(serverLimits.httpPresenceLeaseMs - 1)
      await membership.expireLeases()
      await membership.requireMember(room.id, user)
    }
    expect(await presence.countMembers(room.id)).toBe(1)
    clock.advance(serverLimits.httpPresenceLeaseMs)
    await membership.expireLeases()
    await expect(membership.requireMember(room.id, user)).rejects.toMatchObject({ code: 'not_a_member' })
  })

  it('an HTTP call of a member with a socket does not keep them present after the socket leaves', async () => {
    const { db, clock, membership, presence } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.requireMember(room.id, user)
    await membership.leave({ roomId: room.id, userId: user.id, holderId: 's1' })
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('7.3 leaving by HTTP call ends all connections of the user to the room, and is idempotent', async () => {
    const { db, clock, membership, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await membership.enter(room, user, 's2')
    await membership.leaveEverywhere(room.id, user.id)
    await membership.leaveEverywhere(room.id, user.id)
    expect(await isMember(db, room.id, user.id)).toBe(false)
    expect(recorded).toEqual(['joined: ann', 'members', 'removed: ann'])
    clock.advance(serverLimits.presenceRenewMs)
    await membership.renewLeases()
    expect(await isMember(db, room.id, user.id)).toBe(false)
  })

  it('7.3 a user removed in another process is not renewed by this one', async () => {
    const { db, clock, events, membership, presence } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await presence.releaseUser(room.id, user.id)
    await events.emit('userRemoved', { roomId: room.id, userId: user.id, reason: 'left', isRemote: true })
    await membership.renewLeases()
    expect(await presence.countMembers(room.id)).toBe(0)
  })

  it('4.7c ownerArrived is emitted when the owner joins, and not when they reload', async () => {
    const { db, clock, membership, ownersArrived } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    expect(ownersArrived).toEqual([])
    await membership.enter(room, makeUser('owner'), 's2')
    await membership.disconnect('s2')
    await membership.enter(room, makeUser('owner'), 's3')
    expect(ownersArrived).toEqual([room.id])
  })
})
