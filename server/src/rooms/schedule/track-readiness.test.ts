import type { RoomCommand } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { openRoom, storeTracks } from '../testing/fixtures.ts'
import { createTrackReadiness } from './track-readiness.ts'

const syncReports = { audience: () => ({ roundTripsMs: [], hasElement: false }) }

describeDatabases('the readiness of members', (open) => {
  it('16.301 members who drop at once share a reading of their room, and the cue starts without them', async () => {
    const clock = createFakeClock()
    const db = await open()
    const room = await openRoom(db, clock)
    const [track] = await storeTracks(db, ['t1'])
    const logger = pino({ level: 'silent' })
    const events = createEventBus(logger)
    const presence = createMemoryPresence(clock)
    const runtime = createRoomRuntime({ db, clock, events, syncReports })
    let reads = 0
    const countReads: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads += 1
        return result
      },
    }
    const readiness = createTrackReadiness({
      db: db.withPlugin(countReads),
      logger,
      events,
      presence,
      runtime,
    })
    const add: RoomCommand = { type: 'add_track', track: track!, entryId: 'e1', addedBy: 'owner' }
    const { state } = await runtime.runCommand(room.id, add, { kind: 'user', id: 'owner', isMember: true })
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
