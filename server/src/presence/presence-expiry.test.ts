import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createEventBus } from '../events.ts'
import { newId } from '../ids.ts'
import { createRateLimiter } from '../limits/rate-limits.ts'
import { createRoomAccess } from '../rooms/room-access.ts'
import { makeUser, openRoom } from '../rooms/testing/fixtures.ts'
import { createMembership } from './membership.ts'
import { startPresenceExpiry } from './presence-expiry.ts'
import { createRedisPresence } from './presence-redis.ts'
import { createProcessLeases } from './process-leases.ts'

describeDatabases('the sweep of orphaned memberships', (open) => {
  it('16.119 members keep their membership where orphans are swept just after Redis was emptied', async () => {
    const db = await open()
    const clock = createFakeClock()
    const logger = pino({ level: 'silent' })
    const redis = new Redis(inject('redisUrl'))
    const [processId, prefix] = [newId(), newId()]
    const presence = createRedisPresence(redis, clock, processId, prefix)
    const processes = createProcessLeases(redis, clock, processId, prefix)
    const attempts = {
      ofUser: createRateLimiter('attempts', limits.rates.roomPassword),
      ofRoom: createRateLimiter('room-attempts', limits.rates.roomPasswordRoom),
    }
    const access = createRoomAccess({ db, clock, attempts })
    const events = createEventBus(logger)
    const membership = createMembership({ db, clock, events, presence, access })
    const room = await openRoom(db, clock)
    await membership.enter(room, makeUser('ann'), 's1')
    const before = await db.selectFrom('user_rooms').selectAll().execute()

    clock.advance(limits.processRenewMs)
    const stop = startPresenceExpiry({ clock, logger, events, membership, processes })
    onTestFinished(async () => {
      await stop()
      redis.disconnect()
    })
    const startedAtMs = clock.now()
    const awaitRenewal = () =>
      vi.waitFor(
        async () => {
          const until = await redis.zscore(`${prefix}:processes`, processId)
          expect(Number(until)).toBeGreaterThan(
            clock.now() + limits.processLeaseMs - 2 * limits.processRenewMs,
          )
        },
        { interval: 5 },
      )
    // Off the beat of the sweep, so that no renewal comes with it.
    clock.advance(1)
    await awaitRenewal()
    while (clock.now() < startedAtMs + limits.orphanGraceMs - limits.processRenewMs) {
      await clock.advanceAsync(limits.processRenewMs / 4)
      await awaitRenewal()
    }
    clock.advance(startedAtMs + limits.orphanGraceMs - 1 - clock.now())
    await redis.del(await redis.keys(`${prefix}:*`))
    clock.advance(1)
    await vi.waitFor(async () =>
      expect(await presence.findPresent(room.id, ['ann'])).toEqual(new Set(['ann'])),
    )
    await stop()
    expect(await db.selectFrom('user_rooms').selectAll().execute()).toEqual(before)
  })
})
