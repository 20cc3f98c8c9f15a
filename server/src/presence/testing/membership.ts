import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import type { Db } from '../../db/database.ts'
import { createEventBus } from '../../events.ts'
import { createRateLimiter } from '../../limits/rate-limits.ts'
import { createRoomAccess } from '../../rooms/room-access.ts'
import { recordBroadcasts } from '../../rooms/testing/fixtures.ts'
import { createMembership } from '../membership.ts'
import { createMemoryPresence } from '../presence-memory.ts'

/** Creates memberships on a database, with what they report. */
export function startMembership(db: Db, clock = createFakeClock(), presence = createMemoryPresence(clock)) {
  const attempts = {
    ofUser: createRateLimiter('attempts', limits.rates.roomPassword),
    ofRoom: createRateLimiter('room-attempts', limits.rates.roomPasswordPerRoom),
  }
  const access = createRoomAccess({ db, clock, attempts })
  const events = createEventBus(pino({ level: 'silent' }))
  const recorded = recordBroadcasts(events)
  const ownersArrived: string[] = []
  const dropped: string[] = []
  events.on('ownerArrived', ({ roomId }) => void ownersArrived.push(roomId))
  events.on('memberDropped', ({ roomId }) => void dropped.push(roomId))
  const membership = createMembership({ db, clock, events, presence, access })
  return { db, clock, events, presence, membership, ownersArrived, dropped, recorded }
}
