import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { newId } from '../ids.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { createRedisPresence } from './presence-redis.ts'
import type { Presence, Seat } from './presence.ts'

/** What every presence does; two processes are two presences over one store. */
function describePresence(where: string, create: (clock: Clock) => [Presence, Presence]): void {
  describe(`presence ${where}`, () => {
    let clock: FakeClock
    let presence: Presence
    let elsewhere: Presence

    beforeEach(() => {
      clock = createFakeClock()
      ;[presence, elsewhere] = create(clock)
    })

    const seat = (userId: string, seatId = 'socket', roomId = 'room'): Seat => ({
      roomId,
      userId,
      seatId,
      isConnected: true,
      member: { id: userId, username: `name of ${userId}`, avatar_url: null, is_owner: userId === 'owner' },
    })
    const away = (userId: string, seatId?: string): Seat => ({ ...seat(userId, seatId), isConnected: false })
    const listIds = async (offset = 0, limit = 10): Promise<string[]> =>
      (await presence.listMembers('room', { offset, limit })).map((member) => member.id)

    it('lists members in order of arrival, in pages, with their names', async () => {
      for (const userId of ['b', 'a', 'owner']) {
        await presence.hold([seat(userId)], limits.presenceLeaseMs)
        clock.advance(1)
      }
      expect(await listIds()).toEqual(['b', 'a', 'owner'])
      expect(await listIds(1, 1)).toEqual(['a'])
      expect(await listIds(3)).toEqual([])
      expect(await presence.countMembers('room')).toBe(3)
      expect(await presence.listMembers('room', { offset: 2, limit: 1 })).toEqual([
        { id: 'owner', username: 'name of owner', avatar_url: null, is_owner: true },
      ])
      expect(await presence.findPresent('room', ['a', 'z', 'b'])).toEqual(new Set(['a', 'b']))
      expect(await presence.findPresent('room', [])).toEqual(new Set())
      expect(await presence.countMembers('another room')).toBe(0)
    })

    it('counts several seats of one user once, wherever they are', async () => {
      expect(await presence.hold([seat('a', 's1'), seat('b', 's1')], 100)).toHaveLength(2)
      expect(await elsewhere.hold([seat('a', 's2')], 100)).toEqual([])
      expect(await presence.countMembers('room')).toBe(2)
      expect(await presence.release([seat('a', 's1')])).toEqual([])
      expect(await elsewhere.release([seat('a', 's2')])).toEqual([{ roomId: 'room', userId: 'a' }])
      expect(await elsewhere.release([seat('a', 's2')])).toEqual([])
      expect(await listIds()).toEqual(['b'])
    })

    it('lets seats go whose lease was not renewed, each user once', async () => {
      await presence.hold([seat('renewed'), seat('dead', 's1'), seat('dead', 's2')], 1_000)
      clock.advance(900)
      expect(await presence.hold([seat('renewed')], 1_000)).toEqual([])
      expect(await elsewhere.expire()).toEqual([])
      clock.advance(100)
      expect(await elsewhere.expire()).toEqual([{ roomId: 'room', userId: 'dead' }])
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['renewed'])
    })

    it('a dropped seat has its grace: a new one in time leaves no gap', async () => {
      await presence.hold([seat('a', 's1')], limits.presenceLeaseMs)
      await presence.hold([away('a', 's1')], limits.presenceGraceMs)
      clock.advance(limits.presenceGraceMs - 1)
      expect(await elsewhere.hold([seat('a', 's2')], limits.presenceLeaseMs)).toEqual([])
      clock.advance(1)
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['a'])
    })

    it('a seat that ran out is taken anew by whoever still holds it', async () => {
      await presence.hold([seat('a')], 1_000)
      clock.advance(1_000)
      await elsewhere.expire()
      expect(await presence.hold([seat('a')], 1_000)).toEqual([seat('a')])
      expect(await listIds()).toEqual(['a'])
    })

    it('extends only a seat that is held', async () => {
      expect(await presence.extend(seat('a'), 1_000)).toBe(false)
      await presence.hold([seat('a')], 1_000)
      clock.advance(500)
      expect(await presence.extend(seat('a'), 1_000)).toBe(true)
      expect(await presence.extend(seat('a'), 1_000)).toBe(true)
      clock.advance(999)
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['a'])
    })

    it('takes a user out of one room with all seats, and out of no other', async () => {
      await presence.hold([seat('a', 's1'), seat('a', 's2'), seat('a', 's1', 'other')], 1_000)
      expect(await elsewhere.releaseUser('room', 'a')).toBe(true)
      expect(await elsewhere.releaseUser('room', 'a')).toBe(false)
      expect(await presence.countMembers('room')).toBe(0)
      expect(await presence.countMembers('other')).toBe(1)
      clock.advance(1_000)
      expect(await presence.expire()).toEqual([{ roomId: 'other', userId: 'a' }])
    })

    it('counts who is ready for a sequence number: members only, each once, none who left', async () => {
      await presence.hold([seat('a'), seat('b'), seat('c')], 1_000)
      for (const userId of ['a', 'a', 'stranger']) await presence.markReady('room', 7, userId)
      await elsewhere.markReady('room', 7, 'b')
      await presence.markReady('room', 8, 'c')
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, connected: 3 })
      expect(await elsewhere.countReady('room', 8)).toEqual({ ready: 1, connected: 3 })
      await presence.release([seat('a')])
      expect(await elsewhere.countReady('room', 7)).toEqual({ ready: 1, connected: 2 })
      expect(await presence.countReady('another room', 7)).toEqual({ ready: 0, connected: 0 })
    })

    it('4.13b counts for a cue only who is connected somewhere, and who comes back is not ready yet', async () => {
      await presence.hold([seat('a', 's1'), seat('b'), away('caller', 'http')], 1_000)
      await elsewhere.hold([seat('a', 's2')], 1_000)
      for (const userId of ['a', 'b', 'caller']) await presence.markReady('room', 7, userId)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, connected: 2 })
      await presence.hold([away('a', 's1')], 500)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, connected: 2 })
      await elsewhere.hold([away('a', 's2')], 500)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 1, connected: 1 })
      expect(await presence.countMembers('room')).toBe(3)
      await elsewhere.hold([seat('a', 's3')], 1_000)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 1, connected: 2 })
      clock.advance(1_000)
      await presence.expire()
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, connected: 0 })
    })

    it('4.13b waits for nobody whose last connected seat was given up, whatever other seat they keep', async () => {
      await presence.hold([seat('a', 's1'), away('a', 'http')], 1_000)
      expect(await presence.release([seat('a', 's1')])).toEqual([])
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, connected: 0 })
      await presence.hold([seat('a', 's2')], 1_000)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, connected: 1 })
    })

    it('holds a thousand seats in one call', async () => {
      const seats = Array.from({ length: 1_000 }, (_, index) => seat(`user-${index}`))
      expect(await presence.hold(seats, 1_000)).toHaveLength(1_000)
      expect(await presence.countMembers('room')).toBe(1_000)
      clock.advance(1_000)
      expect(await presence.expire()).toHaveLength(1_000)
      expect(await presence.countMembers('room')).toBe(0)
    })
  })
}

describePresence('in memory', (clock) => {
  const presence = createMemoryPresence(clock)
  return [presence, presence]
})

describe('over Redis', () => {
  const connections = [new Redis(inject('redisUrl')), new Redis(inject('redisUrl'))] as const
  afterAll(async () => {
    for (const connection of connections) await connection.quit()
  })

  describePresence('in Redis', (clock) => {
    const prefix = `test:${newId()}`
    return [
      createRedisPresence(connections[0], clock, prefix),
      createRedisPresence(connections[1], clock, prefix),
    ]
  })
})
