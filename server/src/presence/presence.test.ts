import type { Clock } from '@earshot/core/clock'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { newId } from '../ids.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { createRedisPresence } from './presence-redis.ts'
import type { Presence, Lease } from './presence.ts'
import { serverLimits } from '../server-limits.ts'

/** The tests of every presence; two processes are two presences over one store. */
function describePresence(where: string, create: (clock: Clock) => [Presence, Presence]): void {
  describe(`presence ${where}`, () => {
    let clock: FakeClock
    let presence: Presence
    let elsewhere: Presence

    beforeEach(() => {
      clock = createFakeClock()
      ;[presence, elsewhere] = create(clock)
    })

    const lease = (userId: string, holderId = 'socket', roomId = 'room'): Lease => ({
      roomId,
      userId,
      holderId,
      isConnected: true,
      member: { id: userId, username: `name of ${userId}`, avatar_url: null, is_owner: userId === 'owner' },
    })
    const away = (userId: string, holderId?: string): Lease => ({
      ...lease(userId, holderId),
      isConnected: false,
    })
    const listIds = async (offset = 0, limit = 10): Promise<string[]> =>
      (await presence.listMembers('room', { offset, limit })).map((member) => member.id)

    it('lists members in order of arrival, in pages, with their names', async () => {
      for (const userId of ['b', 'a', 'owner']) {
        await presence.acquire([lease(userId)], serverLimits.presenceLeaseMs)
        clock.advance(1)
      }
      expect(await listIds()).toEqual(['b', 'a', 'owner'])
      expect(await listIds(1, 1)).toEqual(['a'])
      expect(await listIds(3)).toEqual([])
      expect(await presence.countMembers('room')).toBe(3)
      expect(await presence.listMembers('room', { offset: 2, limit: 1 })).toEqual([lease('owner').member])
      expect(await presence.findMember('room', 'a')).toEqual(lease('a').member)
      expect(await presence.findMember('room', 'z')).toBeNull()
      expect(await presence.findPresent('room', ['a', 'z', 'b'])).toEqual(new Set(['a', 'b']))
      expect(await presence.findPresent('room', [])).toEqual(new Set())
      expect(await presence.countMembers('another room')).toBe(0)
    })

    it('counts several leases of one user once, in any process', async () => {
      expect(await presence.acquire([lease('a', 's1'), lease('b', 's1')], 100)).toHaveLength(2)
      expect(await elsewhere.acquire([lease('a', 's2')], 100)).toEqual([])
      expect(await presence.countMembers('room')).toBe(2)
      expect(await presence.release([lease('a', 's1')])).toEqual([])
      expect(await elsewhere.release([lease('a', 's2')])).toEqual([{ roomId: 'room', userId: 'a' }])
      expect(await elsewhere.release([lease('a', 's2')])).toEqual([])
      expect(await listIds()).toEqual(['b'])
    })

    it('4.9a who leaves by the last connection has left, whatever connections they had before', async () => {
      await presence.acquire([lease('a', 'tab'), lease('a', 'before')], 100)
      await elsewhere.acquire([lease('a', 'elsewhere')], 100)
      await presence.acquire([away('a', 'before')], 100)
      expect(await presence.leave([lease('a', 'tab')])).toEqual([])
      expect(await elsewhere.leave([lease('a', 'elsewhere')])).toEqual([{ roomId: 'room', userId: 'a' }])
      expect(await elsewhere.leave([lease('a', 'elsewhere')])).toEqual([])
      expect(await listIds()).toEqual([])
      clock.advance(100)
      expect(await presence.expire()).toEqual([])
    })

    it('expires leases that were not renewed, and reports each user once', async () => {
      await presence.acquire([lease('renewed'), lease('dead', 's1'), lease('dead', 's2')], 1_000)
      clock.advance(900)
      expect(await presence.acquire([lease('renewed')], 1_000)).toEqual([])
      expect(await elsewhere.expire()).toEqual([])
      clock.advance(100)
      expect(await elsewhere.expire()).toEqual([{ roomId: 'room', userId: 'dead' }])
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['renewed'])
    })

    it('a disconnected lease has a grace period: a new lease in time leaves no gap', async () => {
      await presence.acquire([lease('a', 's1')], serverLimits.presenceLeaseMs)
      await presence.acquire([away('a', 's1')], serverLimits.presenceGraceMs)
      clock.advance(serverLimits.presenceGraceMs - 1)
      expect(await elsewhere.acquire([lease('a', 's2')], serverLimits.presenceLeaseMs)).toEqual([])
      clock.advance(1)
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['a'])
    })

    it('an expired lease is acquired again by the next renewal of its holder', async () => {
      await presence.acquire([lease('a')], 1_000)
      clock.advance(1_000)
      await elsewhere.expire()
      expect(await presence.acquire([lease('a')], 1_000)).toEqual([lease('a')])
      expect(await listIds()).toEqual(['a'])
    })

    it('renews only an existing lease', async () => {
      expect(await presence.renew(lease('a'), 1_000)).toBe(false)
      await presence.acquire([lease('a')], 1_000)
      clock.advance(500)
      expect(await presence.renew(lease('a'), 1_000)).toBe(true)
      expect(await presence.renew(lease('a'), 1_000)).toBe(true)
      clock.advance(999)
      expect(await presence.expire()).toEqual([])
      expect(await listIds()).toEqual(['a'])
    })

    it('releases all leases of a user in one room, and none in another', async () => {
      await presence.acquire([lease('a', 's1'), lease('a', 's2'), lease('a', 's1', 'other')], 1_000)
      expect(await elsewhere.releaseUser('room', 'a')).toBe(true)
      expect(await elsewhere.releaseUser('room', 'a')).toBe(false)
      expect(await presence.countMembers('room')).toBe(0)
      expect(await presence.countMembers('other')).toBe(1)
      clock.advance(1_000)
      expect(await presence.expire()).toEqual([{ roomId: 'other', userId: 'a' }])
    })

    it('counts the ready members of a sequence number: each once, none who left', async () => {
      await presence.acquire([lease('a'), lease('b'), lease('c')], 1_000)
      for (const userId of ['a', 'a', 'stranger']) await presence.markReady('room', 7, userId)
      await elsewhere.markReady('room', 7, 'b')
      await presence.markReady('room', 8, 'c')
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, answering: 3 })
      expect(await elsewhere.countReady('room', 8)).toEqual({ ready: 1, answering: 3 })
      await presence.release([lease('a')])
      expect(await elsewhere.countReady('room', 7)).toEqual({ ready: 1, answering: 2 })
      expect(await presence.countReady('another room', 7)).toEqual({ ready: 0, answering: 0 })
    })

    it('4.13b a cue counts only connected members, and a reconnected one is not ready yet', async () => {
      await presence.acquire([lease('a', 's1'), lease('b'), away('caller', 'http')], 1_000)
      await elsewhere.acquire([lease('a', 's2')], 1_000)
      for (const userId of ['a', 'b', 'caller']) await presence.markReady('room', 7, userId)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, answering: 2 })
      await presence.acquire([away('a', 's1')], 500)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 2, answering: 2 })
      await elsewhere.acquire([away('a', 's2')], 500)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 1, answering: 1 })
      expect(await presence.countMembers('room')).toBe(3)
      await elsewhere.acquire([lease('a', 's3')], 1_000)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 1, answering: 2 })
      clock.advance(1_000)
      await presence.expire()
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, answering: 0 })
    })

    it('4.13b a cue does not wait for a member whose last connected lease was released', async () => {
      await presence.acquire([lease('a', 's1'), away('a', 'http')], 1_000)
      expect(await presence.release([lease('a', 's1')])).toEqual([])
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, answering: 0 })
      await presence.acquire([lease('a', 's2')], 1_000)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, answering: 1 })
    })

    it('16.291 a connected user is silent who let two cues in a row start without a report', async () => {
      const audience = async () => {
        const { ready, answering } = await elsewhere.countReady('room', 7)
        return {
          counts: [ready, answering, await elsewhere.countSilent('room')],
          answering: [...(await elsewhere.findAnswering('room', everybody))],
          silent: [...(await elsewhere.findSilent('room', everybody))],
        }
      }
      const everybody = ['a', 'recorder', 'caller', 'stranger']
      await presence.acquire([lease('a'), lease('recorder'), away('caller', 'http')], 1_000)
      await presence.recordStart('room')
      expect(await audience()).toEqual({ counts: [0, 2, 0], answering: ['a', 'recorder'], silent: [] })
      await presence.markReady('room', 7, 'a')
      expect(await audience()).toEqual({ counts: [1, 2, 0], answering: ['a', 'recorder'], silent: [] })
      await elsewhere.recordStart('room')
      expect(await audience()).toEqual({ counts: [1, 1, 1], answering: ['a'], silent: ['recorder'] })
      // The renewal of a connection is no answer.
      await presence.acquire([lease('recorder')], 1_000)
      await presence.recordStart('room')
      await presence.recordStart('another room')
      expect(await audience()).toEqual({ counts: [1, 1, 1], answering: ['a'], silent: ['recorder'] })
      expect(await presence.countSilent('another room')).toBe(0)
      await elsewhere.recordStart('room')
      expect(await audience()).toEqual({ counts: [1, 0, 2], answering: [], silent: ['a', 'recorder'] })
    })

    it('16.291 a late report and a new connection end the silence, and it does not outlive the connection', async () => {
      const silent = () => presence.countSilent('room')
      const letTwoPass = async () => {
        for (let cue = 0; cue < 2; cue += 1) await presence.recordStart('room')
      }
      await presence.acquire([lease('a', 's1'), lease('b')], 1_000)
      await letTwoPass()
      expect(await silent()).toBe(2)
      await elsewhere.markReady('room', 1, 'a')
      expect(await silent()).toBe(1)
      await elsewhere.acquire([lease('b', 's2')], 1_000)
      expect(await silent()).toBe(0)
      await letTwoPass()
      await presence.acquire([away('a', 's1')], 1_000)
      expect(await silent()).toBe(1)
      await presence.acquire([lease('a', 's1')], 1_000)
      expect(await presence.countReady('room', 7)).toEqual({ ready: 0, answering: 1 })
      for (const userId of ['a', 'b']) await presence.releaseUser('room', userId)
      expect(await silent()).toBe(0)
      await presence.acquire([lease('a')], 1_000)
      await presence.recordStart('room')
      expect(await silent()).toBe(0)
    })

    it('17.471 a user has one vote, of one turn, until it is taken back or the last connection ends', async () => {
      const count = (turn = 7) => elsewhere.countVotes('room', turn)
      await presence.acquire([lease('a', 's1'), lease('b'), lease('c'), away('caller', 'http')], 1_000)
      await elsewhere.acquire([lease('a', 's2')], 1_000)
      for (const userId of ['a', 'a', 'caller', 'stranger']) await presence.setVote('room', userId, 7)
      expect(await count()).toEqual({ votes: 1, answering: 3 })
      expect(await elsewhere.setVote('room', 'b', 7)).toBe(true)
      expect(await count()).toEqual({ votes: 2, answering: 3 })
      expect(await elsewhere.setVote('room', 'b', null)).toBe(false)
      expect(await count()).toEqual({ votes: 1, answering: 3 })
      expect(await elsewhere.setVote('room', 'c', 8)).toBe(true)
      expect(await count()).toEqual({ votes: 1, answering: 3 })
      const voted = async (userId: string, turn: number) => await elsewhere.hasVoted('room', userId, turn)
      expect([await voted('a', 7), await voted('b', 7), await voted('b', 0), await voted('c', 7)]).toEqual([
        true,
        false,
        false,
        false,
      ])
      await presence.release([lease('a', 's1')])
      expect(await count()).toEqual({ votes: 1, answering: 3 })
      await elsewhere.acquire([away('a', 's2')], 500)
      expect(await count()).toEqual({ votes: 0, answering: 2 })
      await presence.acquire([lease('a', 's3')], 1_000)
      expect([await count(), await voted('a', 7)]).toEqual([{ votes: 0, answering: 3 }, false])
      await presence.releaseUser('room', 'c')
      expect(await count(8)).toEqual({ votes: 0, answering: 2 })
      expect(await presence.countVotes('another room', 7)).toEqual({ votes: 0, answering: 0 })
    })

    it('17.472 who answers no cues has no vote, and is not counted', async () => {
      await presence.acquire([lease('a'), lease('recorder')], 1_000)
      for (let cue = 0; cue < 2; cue += 1) {
        await presence.markReady('room', cue, 'a')
        await presence.recordStart('room')
      }
      expect(await presence.setVote('room', 'recorder', 7)).toBe(false)
      expect(await presence.setVote('room', 'a', 7)).toBe(true)
      expect(await elsewhere.countVotes('room', 7)).toEqual({ votes: 1, answering: 1 })
    })

    it('acquires a thousand leases in one call', async () => {
      const leases = Array.from({ length: 1_000 }, (_, index) => lease(`user-${index}`))
      expect(await presence.acquire(leases, 1_000)).toHaveLength(1_000)
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
      createRedisPresence(connections[0], clock, 'p1', prefix),
      createRedisPresence(connections[1], clock, 'p2', prefix),
    ]
  })
})
