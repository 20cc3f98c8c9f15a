import { by } from '@earshot/core/testing/rooms'
import { limits } from '@earshot/core/limits'
import type { Actor, RoomCommand } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { findRemoved, listPlayed } from '../db/queue-history.ts'
import { createEventBus } from '../events.ts'
import { createRoomRuntime } from './room-runtime.ts'
import { loadRoomState } from './store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from './testing/fixtures.ts'

const clock = createFakeClock()
const owner = { kind: 'user', id: 'owner', isMember: true } as const

describeDatabases('the room runtime', (open) => {
  it('16.86 emits tracksChanged where the current track or the queue changed, and not where playback did', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const [first, second, third] = await storeTracks(db, ['a', 'b', 'c'])
    const events = createEventBus(pino({ level: 'silent' }))
    const changed: string[] = []
    events.on('tracksChanged', ({ commands }) => void changed.push(...commands.map(({ type }) => type)))
    const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
    const add = (track = first!): RoomCommand => ({
      type: 'add_track',
      track,
      entryId: `entry of ${track.id}`,
      addedBy: by('owner'),
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

  it('16.300 what was played and removed is stored with the change itself, and once where processes race', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const tracks = await storeTracks(db, ['a', 'b', 'c', 'd'])
    const startProcess = () => {
      const events = createEventBus(pino({ level: 'silent' }))
      const stored: string[][] = []
      // A process that dies here has told nobody of the change.
      events.on('roomCommitted', async () => {
        const played = await listPlayed(db, room.id, { beforeId: null, limit: 10 })
        stored.push(played.map(({ track }) => track.id))
      })
      return { stored, runtime: createRoomRuntime({ db, clock, events, syncReports: noSyncReports }) }
    }
    const { stored, runtime } = startProcess()
    const run = (command: RoomCommand) => runtime.runCommand(room.id, command, owner)
    await run({ type: 'pause' })
    for (const track of tracks)
      await run({ type: 'add_track', track, entryId: `entry of ${track.id}`, addedBy: by('owner') })
    await run({ type: 'play' })
    clock.advance(5_000)
    stored.length = 0
    await run({ type: 'next' })
    const [played] = await listPlayed(db, room.id, { beforeId: null, limit: 1 })
    const back = { track: tracks[0]!, addedBy: null, entryId: played!.id }
    await run({ type: 'previous', back })
    expect(stored).toEqual([['a'], []])

    await run({ type: 'remove_entry', entryId: 'entry of c' })
    const removal = { entryId: 'entry of c' }
    const restored = (await findRemoved(db, room.id, removal))!
    expect(restored).toMatchObject({ entries: [{ id: 'c', position: 1 }] })
    await run({ type: 'restore_entries', ...restored })
    expect(await findRemoved(db, room.id, removal)).toBeNull()

    await run({ type: 'play' })
    clock.advance(5_000)
    const [one, other] = [startProcess(), startProcess()]
    for (const { runtime: each } of [one, other])
      await each.runCommand(room.id, { type: 'seek', positionMs: 9 }, owner)
    const next: RoomCommand = { type: 'next', trackId: 'a' }
    await Promise.all([one, other].map((process) => process.runtime.runCommand(room.id, next, owner)))
    const after = await listPlayed(db, room.id, { beforeId: null, limit: 10 })
    expect(after.map(({ track }) => track.id)).toEqual(['a'])
  })

  it('16.300, 17.475 what is cleared is stored with the change itself, put back once, and else forgotten', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const tracks = await storeTracks(db, ['a', 'b', 'c', 'd'])
    const events = createEventBus(pino({ level: 'silent' }))
    const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
    const ann = { kind: 'user', id: 'ann', isMember: true } as const
    const run = (command: RoomCommand, actor: Actor = owner) => runtime.runCommand(room.id, command, actor)
    const read = async (removalId: string) =>
      (await findRemoved(db, room.id, { removalId }))?.entries.map(({ id, position }) => `${position}${id}`)
    const readQueue = async () => (await loadRoomState(db, room.id)).state.queue
    for (const [index, track] of tracks.entries())
      await run({
        type: 'add_track',
        track,
        entryId: `entry of ${track.id}`,
        addedBy: by(index % 2 ? 'ann' : 'owner'),
      })
    const queue = await readQueue()

    await run({ type: 'clear_queue', removalId: 'anns' }, ann)
    expect(await read('anns')).toEqual(['0b', '2d'])
    await run({ type: 'clear_queue', removalId: 'all' })
    expect([await read('all'), await readQueue()]).toEqual([['0c'], []])
    for (const removalId of ['all', 'anns']) {
      const removed = (await findRemoved(db, room.id, { removalId }))!
      await run({ type: 'restore_entries', removalId, ...removed })
      expect(await read(removalId)).toBeUndefined()
    }
    expect(await readQueue()).toEqual(queue)

    await run({ type: 'clear_queue', removalId: 'all' })
    clock.advance(limits.restoreWindowMs + 1)
    await run({ type: 'add_track', track: tracks[0]!, entryId: 'later', addedBy: by('owner') })
    await run({ type: 'clear_queue', removalId: 'later' })
    expect([await read('all'), await read('later')]).toEqual([undefined, ['0a']])
  })

  it('16.300 where a removal cannot be remembered, nothing is removed', async () => {
    const db = await open()
    const [room, other] = [await openRoom(db, clock), await openRoom(db, clock)]
    const [first, second] = await storeTracks(db, ['a', 'b'])
    const runtime = createRoomRuntime({
      db,
      clock,
      events: createEventBus(pino({ level: 'silent' })),
      syncReports: noSyncReports,
    })
    const run = (command: RoomCommand) => runtime.runCommand(room.id, command, owner)
    for (const track of [first!, second!])
      await run({ type: 'add_track', track, entryId: `entry of ${track.id}`, addedBy: by('owner') })
    const entry = { entry_id: 'entry of b', room_id: other.id, track_id: 'b', position: 0, added_by: null }
    await db
      .insertInto('removed_entries')
      .values({ ...entry, removed_at: 1, removal_id: null })
      .execute()
    await expect(run({ type: 'remove_entry', entryId: 'entry of b' })).rejects.toThrow(/removed_entries/)
    const { state } = await loadRoomState(db, room.id)
    expect(state.queue.map((queued) => queued.entry_id)).toEqual(['entry of b'])
  })
})
