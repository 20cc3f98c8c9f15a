import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, vi } from 'vitest'
import { serverLimits } from '../src/server-limits.ts'
import { startApp } from './apps.ts'
import { joinAs, openJoinedRoom } from './sockets.ts'

it('17.454 in a crowd the members whom everybody is sent have the owner, as long as the owner is there', async () => {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const { id: roomId, owner } = await openJoinedRoom(app)
  await owner.ask('user_left', { roomId })
  const crowd = Array.from({ length: limits.membersPageSize }, (_, index): Member => {
    const id = `u${index}`
    return { id, username: id, avatar_url: null, is_owner: false }
  })
  const leases = crowd.map((member) => {
    return { roomId, userId: member.id, holderId: 's', member, isConnected: true }
  })
  await app.rooms.presence.acquire(leases, 1_000_000)
  const ann = await joinAs(app, roomId, 'ann')
  const readFirst = async (): Promise<string[]> => {
    const { members } = await ann.ask('join_room', { roomId })
    return members.slice(0, 2).map(({ id }) => id)
  }
  expect(await readFirst()).toEqual(['u0', 'u1'])

  /** Whose name the members are sent first, how many they are sent, and of how many. */
  const readSent = () => {
    // A batch may begin after the change was acknowledged.
    clock.advance(serverLimits.presenceBatchMs)
    const { users = [], count } = ann.all('userPresence').at(-1) ?? {}
    return [users[0]?.id, users[0]?.is_owner, users.length, count]
  }
  const pageSize = limits.membersPageSize
  await owner.ask('join_room', { roomId })
  await vi.waitFor(() => expect(readSent()).toEqual([owner.user.id, true, pageSize + 1, pageSize + 2]))
  expect(await readFirst()).toEqual([owner.user.id, 'u0'])

  await owner.ask('user_left', { roomId })
  await vi.waitFor(() => expect(readSent()).toEqual(['u0', false, pageSize, pageSize + 1]))
})
