import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { createEventBus } from '../events.ts'
import { newId } from '../ids.ts'
import { createPasswordAttempts } from '../rooms/password-attempts.ts'
import { createRoomAccess } from '../rooms/room-access.ts'
import { makeUser, openRoom } from '../rooms/testing/fixtures.ts'
import { createMembership } from './membership.ts'
import { startPresenceExpiry } from './presence-expiry.ts'
import { createRedisPresence } from './presence-redis.ts'
import { createProcessLeases } from './process-leases.ts'
import { serverLimits } from '../server-limits.ts'

/** A room that Ann entered through one process, and the expiry of another, or of the same, over one Redis. */
async function enterAnd(db: Db, { isSameProcess }: { isSameProcess: boolean }) {
  const [clock, logger] = [createFakeClock(), pino({ level: 'silent' })]
  const redis = new Redis(inject('redisUrl'))
  const [processId, prefix] = [newId(), newId()]
  const attempts = createPasswordAttempts(null)
  const access = createRoomAccess({ db, clock, attempts })
  const events = createEventBus(logger)
  const membershipOf = (id: string) => {
    const presence = createRedisPresence(redis, clock, id, prefix)
    return { presence, membership: createMembership({ db, clock, events, presence, access }) }
  }
  const { presence, membership } = membershipOf(processId)
  const entered = isSameProcess ? membership : membershipOf(newId()).membership
  const room = await openRoom(db, clock)
  await entered.enter(room, makeUser('ann'), 's1')
  const processes = createProcessLeases(redis, clock, processId, prefix)
  const awaitRenewal = () =>
    vi.waitFor(
      async () => {
        const until = await redis.zscore(`${prefix}:processes`, processId)
        expect(Number(until)).toBeGreaterThan(
          clock.now() + serverLimits.processLeaseMs - 2 * serverLimits.processRenewMs,
        )
      },
      { interval: 5 },
    )
  return {
    clock,
    redis,
    prefix,
    processes,
    findPresent: () => presence.findPresent(room.id, ['ann']),
    /** Starts the expiry. Returns a function that stops it, as the end of the test does. */
    start: (withProcesses = processes) => {
      const stop = startPresenceExpiry({ clock, logger, events, membership, processes: withProcesses })
      onTestFinished(async () => {
        await stop()
        redis.disconnect()
      })
      return stop
    },
    /** Advances the clock by so much, and lets each renewal of the process finish. */
    pass: async (ms: number) => {
      const untilMs = clock.now() + ms
      while (clock.now() < untilMs) {
        await clock.advanceAsync(serverLimits.processRenewMs / 4)
        await awaitRenewal()
      }
    },
  }
}

describeDatabases('the expiry of presence', (open) => {
  it('16.119 members keep their membership where orphans are swept just after Redis was emptied', async () => {
    const db = await open()
    const { clock, redis, prefix, findPresent, start, pass } = await enterAnd(db, { isSameProcess: true })
    const before = await db.selectFrom('user_rooms').selectAll().execute()
    clock.advance(serverLimits.processRenewMs)
    const stop = start()
    const startedAtMs = clock.now()
    // Off the beat of the sweep, so that no renewal comes with it.
    await clock.advanceAsync(1)
    await pass(serverLimits.orphanGraceMs - serverLimits.processRenewMs - 1)
    clock.advance(startedAtMs + serverLimits.orphanGraceMs - 1 - clock.now())
    await redis.del(await redis.keys(`${prefix}:*`))
    clock.advance(1)
    await vi.waitFor(async () => expect(await findPresent()).toEqual(new Set(['ann'])))
    await stop()
    expect(await db.selectFrom('user_rooms').selectAll().execute()).toEqual(before)
  })

  it('16.91 members of another process stay where all stall while one looks for processes that died', async () => {
    const { clock, processes, findPresent, start, pass } = await enterAnd(await open(), {
      isSameProcess: false,
    })
    let stallMs = 0
    let hasStalled = false
    const stop = start({
      ...processes,
      async expireDead() {
        const hasFound = await processes.expireDead()
        clock.advance(stallMs)
        hasStalled = stallMs > 0
        stallMs = 0
        return hasFound
      },
    })
    await pass(serverLimits.processLeaseMs + serverLimits.processRenewMs)
    stallMs = serverLimits.presenceLeaseMs
    await vi.waitFor(
      () => {
        // In steps: the next sweep counts from the end of one that still runs.
        if (!hasStalled) clock.advance(serverLimits.presenceSweepMs / 4)
        expect(hasStalled).toBe(true)
      },
      { interval: 100 },
    )
    await stop()
    expect(await findPresent()).toEqual(new Set(['ann']))
  })
})
