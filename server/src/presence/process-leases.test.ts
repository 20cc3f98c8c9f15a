import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { expect, inject, it, onTestFinished } from 'vitest'
import { newId } from '../ids.ts'
import { createRedisPresence } from './presence-redis.ts'
import { type Lease, httpHolderId } from './presence.ts'
import { createProcessLeases } from './process-leases.ts'
import { createStoreContact } from './presence-expiry.ts'
import { serverLimits } from '../server-limits.ts'

/** Processes that share presence, by name. */
function start() {
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  const clock = createFakeClock()
  const prefix = `test:${newId()}`
  return {
    clock,
    open: (processId: string) => ({
      presence: createRedisPresence(redis, clock, processId, prefix),
      leases: createProcessLeases(redis, clock, processId, prefix),
    }),
  }
}

const lease = (userId: string, holderId = 'socket', isConnected = true): Lease => ({
  roomId: 'room',
  userId,
  holderId,
  isConnected,
  member: { id: userId, username: userId, avatar_url: null, is_owner: false },
})

it('16.90 the members of a process that died expire with its lease, and nobody else does', async () => {
  const { clock, open } = start()
  const [dead, living] = [open('dead'), open('living')]
  for (const { leases } of [dead, living]) await leases.renew()
  await dead.presence.acquire([lease('ann'), lease('ben')], serverLimits.presenceLeaseMs)
  await dead.presence.acquire([lease('http', httpHolderId, false)], serverLimits.httpPresenceLeaseMs)
  await living.presence.acquire([lease('ben'), lease('cara')], serverLimits.presenceLeaseMs)

  clock.advance(serverLimits.processLeaseMs)
  expect(await living.leases.renew()).toBe(false)
  await living.leases.expireDead()
  expect(await living.presence.expire()).toEqual([{ roomId: 'room', userId: 'ann' }])
  const present = await living.presence.findPresent('room', ['ann', 'ben', 'cara', 'http'])
  expect([...present]).toEqual(['ben', 'cara', 'http'])
})

it('16.90 a process whose lease ended notices it, and one that closes leaves the grace periods alone', async () => {
  const { clock, open } = start()
  const [slow, closed, living] = [open('slow'), open('closed'), open('living')]
  for (const { leases } of [slow, closed, living]) expect(await leases.renew()).toBe(true)
  await closed.presence.acquire([lease('ann', 'socket', false)], serverLimits.presenceGraceMs)
  await closed.leases.release()
  clock.advance(serverLimits.processLeaseMs)
  await living.leases.renew()
  await living.leases.expireDead()
  expect(await slow.leases.renew()).toBe(true)
  expect(await living.presence.expire()).toEqual([])
})

it('16.91 after an interruption nobody is expired before each process had the time to renew', () => {
  const { clock } = start()
  const contact = createStoreContact(clock)
  const answer = (ms: number): boolean[] => {
    const interruptions: boolean[] = []
    for (let left = ms; left > 0; left -= serverLimits.processRenewMs) {
      clock.advance(serverLimits.processRenewMs)
      interruptions.push(contact.note())
    }
    return interruptions
  }
  expect(answer(serverLimits.processLeaseMs - serverLimits.processRenewMs)).not.toContain(true)
  expect(contact.isSteady()).toBe(false)
  answer(serverLimits.processRenewMs)
  expect(contact.isSteady()).toBe(true)
  clock.advance(serverLimits.processLeaseMs)
  expect(contact.isSteady()).toBe(false)
  expect(answer(serverLimits.processRenewMs)).toEqual([true])
  expect(contact.isSteady()).toBe(false)
  answer(serverLimits.processLeaseMs)
  expect(contact.isSteady()).toBe(true)
})

it('16.298 the contact to the store is steady again soon after the clock is set back, so that members expire', () => {
  const { clock } = start()
  const contact = createStoreContact(clock)
  const answerForALease = () => {
    for (let ms = 0; ms < serverLimits.processLeaseMs; ms += serverLimits.processRenewMs) {
      clock.advance(serverLimits.processRenewMs)
      contact.note()
    }
  }
  answerForALease()
  expect(contact.isSteady()).toBe(true)
  clock.advance(-2 * 3_600_000)
  expect(contact.isSteady()).toBe(false)
  contact.note()
  answerForALease()
  expect(contact.isSteady()).toBe(true)
})
