import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { by } from '@earshot/core/testing/rooms'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { serverLimits } from '../../server-limits.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { startIdleRoomReset } from './idle-room-reset.ts'

it('16.311 closing waits for the reset of an idle room', async () => {
  const [db, clock, logger] = [await borrowDatabase(), createFakeClock(), pino({ level: 'error' })]
  const events = createEventBus(logger)
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  const { id: roomId } = await openRoom(db, clock)
  const owner = { kind: 'user', id: 'owner', isMember: true } as const
  const [track] = await storeTracks(db, ['t1'])
  await runtime.runCommand(roomId, { type: 'pause' }, owner)
  await runtime.runCommand(
    roomId,
    { type: 'add_track', track: track!, entryId: 'e1', addedBy: by('owner') },
    owner,
  )
  await runtime.runCommand(roomId, { type: 'seek', positionMs: 30_000 }, owner)
  clock.advance(1)

  const present = Promise.withResolvers<Set<string>>()
  const presence = { findPresent: () => present.promise, countMembers: async () => 1 }
  const stop = startIdleRoomReset({ clock, logger, events, presence, runtime })
  await events.emit('ownerArrived', { roomId, ownerId: 'owner' })
  clock.advance(serverLimits.initialStateBroadcastMs)
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await clock.advanceAsync(0)
  expect(isStopped).toBe(false)
  expect((await loadRoomState(db, roomId)).state.timeline.positionMs).toBe(30_000)
  present.resolve(new Set(['owner']))
  await stopped
  expect((await loadRoomState(db, roomId)).state.timeline.positionMs).toBe(0)
})
