import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { findListedRoom } from '../db/rooms.ts'
import { deleteMemberships, isMember } from '../db/user-rooms.ts'
import { insertBan } from '../db/room-bans.ts'
import { makeUser, openRoom } from '../rooms/testing/fixtures.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { httpHolderId } from './presence.ts'
import { startMembership } from './testing/membership.ts'
import { serverLimits } from '../server-limits.ts'

const user = makeUser('ann')

/** Makes the database refuse new memberships. Resolves to the function that ends that. */
async function refuseMemberships(db: Db): Promise<() => Promise<void>> {
  await db.schema.alterTable('user_rooms').renameTo('user_rooms_away').execute()
  return () => db.schema.alterTable('user_rooms_away').renameTo('user_rooms').execute()
}

describeDatabases('memberships', (open) => {
  it('16.154 who could not be stored as a member is present nowhere, and is announced when they join again', async () => {
    const { db, clock, membership, presence, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    const restore = await refuseMemberships(db)
    await expect(membership.enter(room, user, 's1')).rejects.toThrow(/user_rooms/)
    expect(await presence.countMembers(room.id)).toBe(0)
    await membership.renewLeases()
    expect(await presence.countMembers(room.id)).toBe(0)
    await restore()
    expect(await membership.enter(room, user, 's1')).toBe(true)
    expect(recorded).toEqual(['joined: ann'])
  })

  it('16.154 of members that a renewal brings back, one that cannot be stored keeps out no other, and is tried again', async () => {
    const { db, clock, membership, presence, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await presence.releaseUser(room.id, user.id)
    await deleteMemberships(db, room.id, [user.id])
    recorded.length = 0
    const restore = await refuseMemberships(db)
    await expect(membership.renewLeases()).rejects.toThrow(/user_rooms/)
    await restore()
    await membership.renewLeases()
    expect(await isMember(db, room.id, user.id)).toBe(true)
    expect(recorded).toEqual(['joined: ann'])
  })

  it('16.154 whose first connection could not be stored is announced by the second', async () => {
    const { db, clock, membership, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await deleteMemberships(db, room.id, [user.id])
    recorded.length = 0
    expect(await membership.enter(room, user, 's2')).toBe(false)
    expect(await isMember(db, room.id, user.id)).toBe(true)
    expect(recorded).toEqual(['joined: ann'])
  })

  it('16.155 a member who calls over HTTP while they are banned is none afterwards', async () => {
    const { db, clock, events, membership, presence } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, httpHolderId)
    const answers: string[] = []
    events.on('membersLeaving', async () => {
      await membership.requireMember(room.id, user).then(
        () => answers.push('member'),
        (error: unknown) => answers.push(error instanceof AppError ? error.code : String(error)),
      )
    })
    await insertBan({ db, clock }, { roomId: room.id, userId: user.id, bannedBy: 'owner' })
    await membership.leaveEverywhere(room.id, user.id, 'banned')
    expect(answers).toEqual(['banned'])
    expect(await presence.countMembers(room.id)).toBe(0)
    await expect(membership.requireMember(room.id, user)).rejects.toMatchObject({ code: 'not_a_member' })
  })

  it('16.155 a banned user whom another process removed is not brought back by a renewal', async () => {
    const { db, clock, membership, presence, recorded } = startMembership(await open())
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    await insertBan({ db, clock }, { roomId: room.id, userId: user.id, bannedBy: 'owner' })
    await presence.releaseUser(room.id, user.id)
    await deleteMemberships(db, room.id, [user.id])
    recorded.length = 0
    for (let turn = 0; turn < 2; turn++) await membership.renewLeases()
    expect(await presence.countMembers(room.id)).toBe(0)
    expect(await isMember(db, room.id, user.id)).toBe(false)
    // For the sockets that are still in the room.
    expect(recorded).toEqual(['removed: ann'])
  })

  it('7.2 memberships left behind by a dead server are removed, unless their users came back', async () => {
    const db = await open()
    const before = startMembership(db)
    const room = await openRoom(db, before.clock)
    for (const name of ['ann', 'ben', 'cem']) await before.membership.enter(room, makeUser(name), name)

    // The server dies; its presence is gone with it.
    const after = startMembership(db, before.clock)
    await after.membership.enter(room, makeUser('ben'), 'again')
    expect(await after.membership.removeOrphans()).toBe(0)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(3)

    after.clock.advance(serverLimits.orphanGraceMs + 1)
    await after.membership.renewLeases()
    await after.membership.enter(room, makeUser('dee'), 'new')
    expect(await after.membership.removeOrphans()).toBe(2)
    expect(await after.membership.removeOrphans()).toBe(0)
    expect(await isMember(db, room.id, 'ben')).toBe(true)
    expect(await isMember(db, room.id, 'dee')).toBe(true)
    expect((await findListedRoom(db, room.id))?.listeners).toBe(2)
  })

  it('16.195 members whose expiry was never answered leave the list with their memberships', async () => {
    const clock = createFakeClock()
    const near = createMemoryPresence(clock)
    const far = {
      ...near,
      expire: async () => {
        await near.expire()
        throw new Error('Command timed out')
      },
    }
    const { db, membership, recorded } = startMembership(await open(), clock, far)
    const room = await openRoom(db, clock)
    await membership.enter(room, user, 's1')
    clock.advance(serverLimits.orphanGraceMs + 1)
    await expect(membership.expireLeases()).rejects.toThrow('timed out')
    expect(await membership.removeOrphans()).toBe(1)
    expect(recorded).toEqual(['joined: ann', 'members'])
  })

  it('any number of them is removed', async () => {
    const { db, clock, membership } = startMembership(await open())
    const rooms = [await openRoom(db, clock), await openRoom(db, clock)]
    const rows = rooms.flatMap((room) =>
      Array.from({ length: 600 }, (_, index) => ({ room_id: room.id, user_id: `u${index}`, joined_at: 0 })),
    )
    await db.insertInto('user_rooms').values(rows).execute()
    expect(await membership.removeOrphans()).toBe(1_200)
  })
})
