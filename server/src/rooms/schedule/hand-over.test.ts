import { limits } from '@earshot/core/limits'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import type { Db } from '../../db/database.ts'
import type { RoomRow } from '../../db/rooms.ts'
import { createEventBus } from '../../events.ts'
import { createMembership } from '../../presence/membership.ts'
import { httpHolderId } from '../../presence/presence.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import type { Presence } from '../../presence/presence.ts'
import { createPasswordAttempts } from '../password-attempts.ts'
import { createRoomAccess } from '../room-access.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { makeUser, noSyncReports, openRoom } from '../testing/fixtures.ts'
import { startRoomScheduler } from './room-scheduler.ts'
import { serverLimits } from '../../server-limits.ts'

/** Starts the parts of one server process that members and their controls depend on. */
function startProcess(db: Db, clock: FakeClock, presence: Presence, passed: (string | null)[] = []) {
  const logger = pino({ level: 'error' })
  const events = createEventBus(logger)
  events.on('controlsChanged', ({ controllerId }) => void passed.push(controllerId))
  const runtime = createRoomRuntime({
    db,
    clock,
    events,
    syncReports: noSyncReports,
  })
  const attempts = createPasswordAttempts(null)
  const access = createRoomAccess({ db, clock, attempts })
  const membership = createMembership({ db, clock, events, presence, access })
  const stop = startRoomScheduler({ db, clock, logger, events, presence, runtime, isShared: false })
  onTestFinished(stop)
  return {
    passed,
    runtime,
    stop,
    join: (room: RoomRow, name: string) => membership.enter(room, makeUser(name), httpHolderId),
    leave: (room: RoomRow, name: string) => membership.leaveEverywhere(room.id, name),
  }
}

describeDatabases('the controls of a room whose owner is away', (open) => {
  const start = async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoom(db, clock)
    const read = async () => (await loadRoomState(db, room.id)).state
    const until = (check: (state: Awaited<ReturnType<typeof read>>) => boolean, stepMs = 0) =>
      vi.waitFor(
        async () => {
          clock.advance(stepMs)
          expect(check(await read())).toBe(true)
        },
        { interval: 5 },
      )
    return { db, clock, room, read, until }
  }

  it('17.21, 13.4 pass on once though two processes decide, and back when the owner returns to either', async () => {
    const { db, clock, room, until } = await start()
    const presence = createMemoryPresence(clock)
    // Of both, in the order in which they did it.
    const passed: (string | null)[] = []
    const [first, second] = [
      startProcess(db, clock, presence, passed),
      startProcess(db, clock, presence, passed),
    ]
    await first.join(room, 'owner')
    await second.join(room, 'bob')
    await first.join(room, 'cay')
    await first.leave(room, 'owner')
    await until(({ ownerAbsence }) => typeof ownerAbsence?.handOverAtMs === 'number')
    clock.advance(limits.ownerAwayMs - 1)
    await until(({ controllerId }) => controllerId === null)
    await until(({ controllerId }) => controllerId === 'bob', 500)
    // Both processes had the room due.
    clock.advance(serverLimits.roomSweepMs)
    await second.join(room, 'owner')
    await until(({ controllerId, ownerAbsence }) => controllerId === null && ownerAbsence === null)
    // The event follows the commit.
    await vi.waitFor(() => expect(passed).toEqual(['bob', null]))
  })

  it('17.21 pass on by the stored time after a restart, and skip who is no longer there', async () => {
    const { db, clock, room, until } = await start()
    const before = startProcess(db, clock, createMemoryPresence(clock))
    await before.join(room, 'owner')
    await before.join(room, 'bob')
    await before.leave(room, 'owner')
    await until(({ ownerAbsence }) => typeof ownerAbsence?.handOverAtMs === 'number')
    await before.stop()

    const after = startProcess(db, clock, createMemoryPresence(clock))
    await after.join(room, 'cay')
    clock.advance(limits.ownerAwayMs)
    await until(({ controllerId }) => controllerId === 'cay', 500)
    await after.join(room, 'bob')
    await after.leave(room, 'cay')
    await until(({ controllerId }) => controllerId === 'bob', 500)
    await vi.waitFor(() => expect(after.passed).toEqual(['cay', 'bob']))
  })

  it('17.21 an empty room waits without work: nothing is due in it', async () => {
    const { db, clock, room, read, until } = await start()
    const server = startProcess(db, clock, createMemoryPresence(clock))
    await server.join(room, 'owner')
    await server.join(room, 'bob')
    await server.leave(room, 'owner')
    await server.leave(room, 'bob')
    await until(({ ownerAbsence }) => ownerAbsence?.handOverAtMs === null)
    clock.advance(2 * limits.ownerAwayMs)
    expect((await read()).controllerId).toBeNull()
    const row = await db.selectFrom('rooms').select('due_at').executeTakeFirstOrThrow()
    expect(row.due_at).toBeNull()
  })
})
