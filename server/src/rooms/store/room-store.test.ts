import { by } from '@earshot/core/testing/rooms'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { emptyTimeline } from '@earshot/core/sync/timeline'
import { type RoomOutcome, type RoomState, serverActor } from '@earshot/core/room/room-state'
import { reduceRoom } from '@earshot/core/room/reduce-room'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import type { Db } from '../../db/database.ts'
import { lockRoom } from '../../db/rooms.ts'
import { findTrack } from '../../db/tracks.ts'
import { type RoomStore, changeRoom, createRoomStore, loadRoomState } from './room-store.ts'
import { openRoom, replace, storeTracks } from '../testing/fixtures.ts'
import { upsertTracks } from '../../db/tracks.ts'

const clock = createFakeClock()
const member = { kind: 'user', id: 'someone', isMember: true } as const

/** One store per database, as in a process. */
const stores = new WeakMap<Db, RoomStore>()
function storeOf(db: Db): RoomStore {
  const store = stores.get(db) ?? createRoomStore(db, clock)
  stores.set(db, store)
  return store
}

describeDatabases('changeRoom', (open) => {
  const addTrack = (db: Db, roomId: string, trackId: string, entryId: string) =>
    changeRoom(storeOf(db), roomId, (state) =>
      reduceRoom(
        state,
        { type: 'add_track', track: makeTrack(trackId), entryId, addedBy: by('someone') },
        { actor: member, nowMs: clock.now(), leadMs: 0 },
      ),
    )

  it('7.1b a new room plays nothing, at position 0', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const { state, queueVersion } = await loadRoomState(db, room.id)
    expect(state).toMatchObject({ ownerId: 'owner', track: null, queue: [], cue: null, hasPlayed: false })
    expect(state.timeline).toEqual({ ...emptyTimeline, atServerMs: clock.now() })
    expect(queueVersion).toBe(0)
  })

  it('stores the whole state in whole milliseconds, and returns it as stored', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const [track, queued] = await storeTracks(db, ['t1', 't2'])
    const part: Partial<RoomState> = {
      track: track!,
      timeline: {
        trackId: 't1',
        source: 'library',
        isPlaying: true,
        positionMs: 1_234.4,
        atServerMs: clock.now() + 0.6,
        durationMs: 200_000,
        sequenceNumber: 101,
        isCueing: false,
      },
      queue: [{ ...queued!, entry_id: 'e1', position: 0, added_by: 'someone' }],
      recentCommandIds: ['c1', 'c2'],
      lastCommandsAtMs: { play: 5 },
      hasPlayed: true,
    }
    const outcome = await changeRoom(storeOf(db), room.id, replace(part, ['track', 'queue']))
    expect(outcome.state.timeline).toMatchObject({ positionMs: 1_234, atServerMs: clock.now() + 1 })
    const loaded = await loadRoomState(db, room.id)
    expect(loaded.state).toEqual(outcome.state)
    expect(loaded.queueVersion).toBe(1)
  })

  it('4.17a, 4.17b, 4.18 tracks are appended, and removing an entry closes the gap', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    await storeTracks(db, ['t0', 't1', 't2', 't3'])
    for (const [index, trackId] of ['t0', 't1', 't2', 't3'].entries()) {
      await addTrack(db, room.id, trackId, `e${index}`)
    }
    const filled = await loadRoomState(db, room.id)
    expect(filled.state.timeline).toMatchObject({ trackId: 't0', isPlaying: false, positionMs: 0 })
    expect(filled.state.queue.map((entry) => [entry.id, entry.position])).toEqual([
      ['t1', 0],
      ['t2', 1],
      ['t3', 2],
    ])
    const remove = { type: 'remove_entry', entryId: 'e2' } as const
    const context = { actor: member, nowMs: clock.now(), leadMs: 0 }
    await changeRoom(storeOf(db), room.id, (state) => reduceRoom(state, remove, context))
    const { state, queueVersion } = await loadRoomState(db, room.id)
    expect(state.queue.map((entry) => [entry.id, entry.position])).toEqual([
      ['t1', 0],
      ['t3', 1],
    ])
    expect(queueVersion).toBe(filled.queueVersion + 1)
  })

  it('7.5b positions are 0 to n-1 and no entry is lost under concurrent changes', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const ids = Array.from({ length: 21 }, (_, index) => `t${index}`)
    await storeTracks(db, ids)
    await Promise.all(ids.map((id) => addTrack(db, room.id, id, `entry of ${id}`)))
    const { state, queueVersion } = await loadRoomState(db, room.id)
    expect(state.queue.map((entry) => entry.position)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
    expect(new Set([state.track?.id, ...state.queue.map((entry) => entry.id)])).toEqual(new Set(ids))
    expect(queueVersion).toBe(20)
  })

  it('7.5b processes that take turns never use an outdated queue', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const tracks = await storeTracks(db, ['t0', 't1', 't2'])
    const processes = [createRoomStore(db, clock), createRoomStore(db, clock)]
    const add = (store: RoomStore, index: number) =>
      changeRoom(store, room.id, ({ queue, ...state }) => {
        const entry = { ...tracks[index % 3]!, entry_id: `e${index}`, position: 0, added_by: null }
        const moved = index % 3 === 2 ? [entry, ...queue.slice(1)] : [entry, ...queue]
        const numbered = moved.map((each, position) => ({ ...each, position }))
        return { state: { ...state, queue: numbered }, changes: ['queue'] }
      })
    let expected: string[] = []
    for (let index = 0; index < 20; index++) {
      const { state } = await add(processes[(index >> 1) % 2]!, index)
      expected = [`e${index}`, ...(index % 3 === 2 ? expected.slice(1) : expected)]
      expect(state.queue.map((entry) => entry.entry_id)).toEqual(expected)
    }
    expect((await loadRoomState(db, room.id)).state.queue.map((entry) => entry.entry_id)).toEqual(expected)
  })

  it('13.4 a change that is overtaken by one of another process runs again on the room as it is', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const tracks = await storeTracks(db, ['t0', 't1'])
    const [overtaken, other] = [createRoomStore(db, clock), createRoomStore(db, clock)]
    const add = (store: RoomStore, index: number) =>
      changeRoom(store, room.id, ({ queue, ...state }) => {
        runs.push(index)
        const entry = { ...tracks[index]!, entry_id: `e${index}`, position: queue.length, added_by: null }
        return { state: { ...state, queue: [...queue, entry] }, changes: ['queue'] }
      })
    const runs: number[] = []
    await Promise.all([add(overtaken, 0), add(other, 1)])
    const { state, queueVersion } = await loadRoomState(db, room.id)
    expect(state.queue.map((entry) => entry.position)).toEqual([0, 1])
    expect(new Set(state.queue.map((entry) => entry.entry_id))).toEqual(new Set(['e0', 'e1']))
    expect(queueVersion).toBe(2)
    expect(new Set(runs)).toEqual(new Set([0, 1]))
  })

  it('13.4 a change of a room that another process changed after it was read is refused, and runs again', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const read: number[] = []
    const next = ({ timeline, ...state }: RoomState): RoomOutcome => {
      read.push(timeline.sequenceNumber)
      const sequenceNumber = timeline.sequenceNumber + 1
      return { state: { ...state, timeline: { ...timeline, sequenceNumber } }, changes: ['playback'] }
    }
    const changed = await db.transaction().execute(async (other) => {
      await lockRoom(other, room.id)
      const change = changeRoom(storeOf(db), room.id, next)
      await vi.waitFor(() => expect(read).toHaveLength(1))
      const columns = { sequence_number: read[0]! + 100 }
      await other.updateTable('rooms').set(columns).where('id', '=', room.id).execute()
      return { change }
    })
    const { state } = await changed.change
    expect(read).toEqual([read[0], read[0]! + 100])
    expect(state.timeline.sequenceNumber).toBe(read[0]! + 101)
    expect((await loadRoomState(db, room.id)).state.timeline.sequenceNumber).toBe(read[0]! + 101)
  })

  it('any order of the queue is stored', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const tracks = await storeTracks(
      db,
      Array.from({ length: 8 }, (_, index) => `t${index}`),
    )
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 7 })), async (order) => {
        const queue = order.map((index, position) => ({
          ...tracks[index]!,
          entry_id: `e${index}`,
          position,
          added_by: null,
        }))
        await changeRoom(storeOf(db), room.id, replace({ queue }, ['queue']))
        expect((await loadRoomState(db, room.id)).state.queue).toEqual(queue)
      }),
      { numRuns: 40 },
    )
  })

  it('a refused change leaves the room unchanged', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    await storeTracks(db, ['t1'])
    await addTrack(db, room.id, 't1', 'e1')
    const before = await loadRoomState(db, room.id)
    const refuse = (): never => {
      throw new Error('refused')
    }
    await expect(changeRoom(storeOf(db), room.id, refuse)).rejects.toThrow('refused')
    await expect(addTrack(db, room.id, 'unknown', 'e2')).rejects.toThrow(/foreign key/i)
    expect(await loadRoomState(db, room.id)).toEqual(before)
  })

  it('8.1a a room that does not exist is not found', async () => {
    const db = await open()
    const notFound = expect.objectContaining({ code: 'room_not_found', message: 'Room not found' })
    await expect(changeRoom(storeOf(db), 'nowhere', replace({}, []))).rejects.toEqual(notFound)
    await expect(loadRoomState(db, 'nowhere')).rejects.toEqual(notFound)
  })

  it('4.21b a video of exactly three minutes is saved as known', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const video = { ...makeTrack('v1', 180_000, 'youtube'), duration_unknown: true }
    await upsertTracks(db, [video], 1)
    const part = { track: video, timeline: { ...emptyTimeline, trackId: video.id, source: video.source } }
    await changeRoom(storeOf(db), room.id, replace(part, ['track']))
    const context = { actor: serverActor, nowMs: clock.now(), leadMs: 0 }
    await changeRoom(storeOf(db), room.id, (state) =>
      reduceRoom(state, { type: 'correct_duration', durationMs: 180_000 }, context),
    )
    expect(await findTrack(db, 'v1')).toMatchObject({ duration: 180_000, duration_unknown: false })
  })

  it('4.21b a corrected duration holds for the room, and where that of a video was unknown also in other rooms', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const video = { ...makeTrack('v1', 180_000, 'youtube'), duration_unknown: true }
    const song = makeTrack('t1', 200_000)
    await upsertTracks(db, [video, song], 1)
    for (const track of [video, song]) {
      const part = { track, timeline: { ...emptyTimeline, trackId: track.id, source: track.source } }
      await changeRoom(storeOf(db), room.id, replace(part, ['track']))
      const corrected = await changeRoom(storeOf(db), room.id, (state) =>
        reduceRoom(
          state,
          { type: 'correct_duration', durationMs: 251_000 },
          { actor: { kind: 'user', id: 'owner', isMember: true }, nowMs: clock.now(), leadMs: 0 },
        ),
      )
      expect(corrected.state.timeline.durationMs).toBe(251_000)
      const { state } = await loadRoomState(db, room.id)
      expect(state.track?.duration).toBe(251_000)
    }
    expect((await findTrack(db, 'v1'))?.duration).toBe(251_000)
    expect((await findTrack(db, 't1'))?.duration).toBe(200_000)
  })

  it('16.156 a duration that ends a video before it is heard holds for the room alone', async () => {
    const db = await open()
    const room = await openRoom(db, clock)
    const video = makeTrack('v1', 200_000, 'youtube')
    await upsertTracks(db, [video], 1)
    const part = { track: video, timeline: { ...emptyTimeline, trackId: video.id, source: video.source } }
    await changeRoom(storeOf(db), room.id, replace(part, ['track']))
    const context = { actor: serverActor, nowMs: clock.now(), leadMs: 0 }
    const corrected = await changeRoom(storeOf(db), room.id, (state) =>
      reduceRoom(state, { type: 'correct_duration', durationMs: 1 }, context),
    )
    expect(corrected.state.timeline.durationMs).toBe(1)
    expect((await findTrack(db, 'v1'))?.duration).toBe(200_000)
  })

  it.each([
    ['a known duration of a video stays that of all rooms', 200_000, 3_600_000],
    ['none of more than 12 h is saved with a video', null, 604_800_000],
  ])('16.325 whatever a room reports, %s', async (_title, knownMs, reportedMs) => {
    const db = await open()
    const room = await openRoom(db, clock)
    const unknown = { ...makeTrack('v1', 180_000, 'youtube'), duration_unknown: true }
    const video = knownMs === null ? unknown : makeTrack('v1', knownMs, 'youtube')
    await upsertTracks(db, [video], 1)
    const part = { track: video, timeline: { ...emptyTimeline, trackId: video.id, source: video.source } }
    await changeRoom(storeOf(db), room.id, replace(part, ['track']))
    const context = { actor: serverActor, nowMs: clock.now(), leadMs: 0 }
    for (const durationMs of [reportedMs, reportedMs + 6_000]) {
      const corrected = await changeRoom(storeOf(db), room.id, (state) =>
        reduceRoom(state, { type: 'correct_duration', durationMs }, context),
      )
      expect(corrected.state.timeline.durationMs).toBe(durationMs)
    }
    expect(knownDurationMs(await findTrack(db, 'v1'))).toBe(knownMs)
  })
})
