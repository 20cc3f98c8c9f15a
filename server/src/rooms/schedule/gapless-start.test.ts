import type { LoadedNext } from '@earshot/core/room/room-state'
import { by } from '@earshot/core/testing/rooms'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { startGaplessStarts } from './gapless-start.ts'

const trackMs = 10_000
/** After this long in a room, its next track is looked at: its first one began a lead later. */
const lookAfterMs = trackMs + 300

it('16.311 a start that is under way when the server closes is finished first, and no further one begins', async () => {
  const [db, clock, logger] = [await borrowDatabase(), createFakeClock(), pino({ level: 'error' })]
  const events = createEventBus(logger)
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  const looks = Promise.withResolvers<LoadedNext>()
  const lookedAt: string[] = []
  const findLoadedNext = (roomId: string): Promise<LoadedNext> => {
    lookedAt.push(roomId)
    return looks.promise
  }
  const stop = startGaplessStarts({
    clock,
    logger,
    events,
    runtime,
    readiness: { findLoadedNext },
    syncReports: noSyncReports,
  })
  const owner = { kind: 'user', id: 'owner', isMember: true } as const
  const tracks = await storeTracks(db, ['t1', 't2'], trackMs)
  /** A room whose first track plays, and lasts for `trackMs` from now. */
  const playRoom = async () => {
    const { id } = await openRoom(db, clock)
    await runtime.runCommand(id, { type: 'pause' }, owner)
    for (const track of tracks) {
      const entryId = `${track.id} of ${id}`
      await runtime.runCommand(id, { type: 'add_track', track, entryId, addedBy: by('owner') }, owner)
    }
    const { state } = await runtime.runCommand(id, { type: 'play' }, owner)
    return { id, loaded: { sequenceNumber: state.timeline.sequenceNumber, entryId: `t2 of ${id}` } }
  }

  const first = await playRoom()
  await clock.advanceAsync(lookAfterMs / 2)
  const second = await playRoom()
  await clock.advanceAsync(lookAfterMs / 2)
  expect(lookedAt).toEqual([first.id])

  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await clock.advanceAsync(trackMs)
  expect(isStopped).toBe(false)
  looks.resolve(first.loaded)
  await stopped
  expect((await loadRoomState(db, first.id)).state.track?.id).toBe('t2')
  expect((await loadRoomState(db, second.id)).state.track?.id).toBe('t1')
  expect(lookedAt).toEqual([first.id])
})
