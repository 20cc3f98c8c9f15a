import type { RoomCommand } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createEventBus } from '../events.ts'
import { createRoomRuntime } from './room-runtime.ts'
import { openRoom, storeTracks } from './testing/fixtures.ts'

const clock = createFakeClock()
const owner = { kind: 'user', id: 'owner', isMember: true } as const
const syncReports = { audience: () => ({ roundTripsMs: [], hasElement: false }) }

describeDatabases('the room runtime', (open) => {
  it('16.86 emits tracksChanged where the current track or the queue changed, and not where playback did', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const [first, second, third] = await storeTracks(db, ['a', 'b', 'c'])
    const events = createEventBus(pino({ level: 'silent' }))
    const changed: string[] = []
    events.on('tracksChanged', ({ commands }) => void changed.push(...commands.map(({ type }) => type)))
    const runtime = createRoomRuntime({ db, clock, events, syncReports })
    const add = (track = first!): RoomCommand => ({
      type: 'add_track',
      track,
      entryId: `entry of ${track.id}`,
      addedBy: 'owner',
    })
    const commands: RoomCommand[] = [
      add(),
      { type: 'play' },
      add(second),
      add(third),
      { type: 'seek', positionMs: 4_000 },
      { type: 'remove_entry', entryId: 'entry of b' },
      { type: 'pause' },
      { type: 'next' },
    ]
    for (const command of commands) await runtime.runCommand(room.id, command, owner)
    expect(changed).toEqual(['add_track', 'add_track', 'add_track', 'remove_entry', 'next'])
  })
})
