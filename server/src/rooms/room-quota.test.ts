import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { countOwnedRooms } from '../db/rooms.ts'
import { insertProfile } from '../db/profiles.ts'
import { openRoom } from './testing/fixtures.ts'
import { serverLimits } from '../server-limits.ts'

describeDatabases('the rooms of a user', (open) => {
  it('17.65 of several rooms that are created at once, those beyond 100 are refused', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    await insertProfile(db, { id: 'owner', username: 'ann', avatarUrl: null, createdAtMs: 1 })
    const room = await openRoom(db, clock)
    const others = Array.from({ length: serverLimits.roomsPerUser - 3 }, (_, index) => `r${index}`)
    await db
      .insertInto('rooms')
      .values(others.map((id) => ({ ...room, id })))
      .execute()
    const creations = await Promise.allSettled(Array.from({ length: 6 }, () => openRoom(db, clock, 'sesame')))
    expect(creations.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await countOwnedRooms(db, 'owner')).toBe(serverLimits.roomsPerUser)
    await expect(openRoom(db, clock)).rejects.toMatchObject({ code: 'too_many_rooms' })
  })
})
