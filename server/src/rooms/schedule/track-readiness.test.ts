import { by } from '@earshot/core/testing/rooms'
import type { Track } from '@earshot/core/protocol/entities'
import type { Actor, RoomCommand } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { createTrackReadiness } from './track-readiness.ts'

const owner: Actor = { kind: 'user', id: 'owner', isMember: true }
const addCommand = (track: Track): RoomCommand => ({
  type: 'add_track',
  track,
  entryId: `entry of ${track.id}`,
  addedBy: by('owner'),
})

describeDatabases('the readiness of members', (open) => {
  it('17.438 a presence that does not answer holds up no skip: nothing counts as loaded then', async () => {
    const clock = createFakeClock()
    const db = await open()
    const { id: roomId } = await openRoom(db, clock)
    const logger = pino({ level: 'silent' })
    const events = createEventBus(logger)
    const shared = createMemoryPresence(clock)
    const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
    const parts = { db, logger, events, runtime, syncReports: noSyncReports }
    const readiness = createTrackReadiness({ ...parts, presence: shared })
    for (const track of await storeTracks(db, ['t1', 't2']))
      await runtime.runCommand(roomId, addCommand(track), owner)
    const { state } = await runtime.runCommand(roomId, { type: 'play' }, owner)
    const member = { id: 'owner', username: 'owner', avatar_url: null, is_owner: true }
    await shared.acquire([{ roomId, userId: 'owner', holderId: 'socket', member, isConnected: true }], 60_000)
    const { sequenceNumber } = state.timeline
    await readiness.reportNextReady(roomId, sequenceNumber, 't2', 'owner')
    expect(await readiness.findLoadedNext(roomId)).toEqual({ sequenceNumber, entryId: 'entry of t2' })
    const presence = { ...shared, countReady: () => new Promise<never>(() => undefined) }
    expect(await createTrackReadiness({ ...parts, presence }).findLoadedNext(roomId)).toBeNull()
  })

  it('16.301 members who drop at once share a reading of their room, and the cue starts without them', async () => {
    const clock = createFakeClock()
    const db = await open()
    const room = await openRoom(db, clock)
    const [track] = await storeTracks(db, ['t1'])
    const logger = pino({ level: 'silent' })
    const events = createEventBus(logger)
    const presence = createMemoryPresence(clock)
    const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
    let reads = 0
    const countReads: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads += 1
        return result
      },
    }
    const parts = { logger, events, presence, runtime, syncReports: noSyncReports }
    const readiness = createTrackReadiness({ db: db.withPlugin(countReads), ...parts })
    const { state } = await runtime.runCommand(room.id, addCommand(track!), owner)
    expect(state.timeline.isCueing).toBe(true)

    const ids = ['ready', ...Array.from({ length: 300 }, (_, index) => `u${index}`)]
    const leases = ids.map((id) => {
      const member = { id, username: id, avatar_url: null, is_owner: false }
      return { roomId: room.id, userId: id, holderId: `socket of ${id}`, member, isConnected: true }
    })
    await presence.acquire(leases, 60_000)
    await readiness.reportReady(room.id, state.timeline.sequenceNumber, 'ready')
    await presence.release(leases.slice(1))
    await Promise.all(leases.slice(1).map(() => events.emit('memberDropped', { roomId: room.id })))
    expect(reads).toBeLessThanOrEqual(3)
    expect((await loadRoomState(db, room.id)).state.timeline).toMatchObject({
      isPlaying: true,
      trackId: 't1',
    })
  })
})
