import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import type { Db } from '../../db/database.ts'
import { createEventBus } from '../../events.ts'
import { createPasswordAttempts } from '../../rooms/password-attempts.ts'
import { createRoomAccess } from '../../rooms/room-access.ts'
import { recordBroadcasts } from '../../rooms/testing/fixtures.ts'
import { createMembership } from '../membership.ts'
import { createMemoryPresence } from '../presence-memory.ts'

/** Creates memberships on a database, with what they report. */
export function startMembership(db: Db, clock = createFakeClock(), presence = createMemoryPresence(clock)) {
  const attempts = createPasswordAttempts(null)
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
