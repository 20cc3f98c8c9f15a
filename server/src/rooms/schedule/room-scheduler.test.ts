import { by } from '@earshot/core/testing/rooms'
import type { Track } from '@earshot/core/protocol/entities'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import type { Db } from '../../db/database.ts'
import type { RoomRow } from '../../db/rooms.ts'
import { deleteMemberships, insertMemberships } from '../../db/user-rooms.ts'
import { type RoomCommit, createEventBus } from '../../events.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { type RoomRuntime, createRoomRuntime } from '../room-runtime.ts'
import { startRoomScheduler } from './room-scheduler.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { serverLimits } from '../../server-limits.ts'

/** How many queries and commands the processes on a clock wait for. */
const waiting = new WeakMap<FakeClock, number>()

function countWaiting(clock: FakeClock, change: 1 | -1): void {
  waiting.set(clock, (waiting.get(clock) ?? 0) + change)
}

/**
 * Counts the queries of a database while they run; of those that are compiled once, the first run: only commands run
 * them.
 */
function countQueries(db: Db, clock: FakeClock): Db {
  const running = new WeakSet<object>()
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      running.add(queryId)
      countWaiting(clock, 1)
      return node
    },
    async transformResult({ result, queryId }) {
      if (running.delete(queryId)) countWaiting(clock, -1)
      return result
    },
  })
}

/** Counts the commands of a runtime while they run. */
function countCommands(runtime: RoomRuntime, clock: FakeClock): RoomRuntime {
  return {
    ...runtime,
    async runCommand(...command) {
      countWaiting(clock, 1)
      try {
        return await runtime.runCommand(...command)
      } finally {
        countWaiting(clock, -1)
      }
    },
  }
}

/** Starts the rooms of one server process. */
function startProcess(db: Db, clock: FakeClock, { isShared = false }: { isShared?: boolean } = {}) {
  const logger = pino({ level: 'silent' })
  const events = createEventBus(logger)
  const changes: RoomCommit[] = []
  let commits = 0
  events.on('roomCommitted', (commit) => {
    commits += 1
    if (commit.outcome.changes.length > 0) changes.push(commit)
  })
  const runtime = countCommands(createRoomRuntime({ db, clock, events, syncReports: noSyncReports }), clock)
  const presence = createMemoryPresence(clock)
  const counted = countQueries(db, clock)
  const stop = startRoomScheduler({ db: counted, clock, logger, events, presence, runtime, isShared })
  onTestFinished(stop)
  const asOwner = (roomId: string, command: RoomCommand) =>
    runtime.runCommand(roomId, command, { kind: 'user', id: 'owner', isMember: true })
  /** Also those that changed nothing. */
  const takeCommits = (): number => {
    const taken = commits
    commits = 0
    return taken
  }
  return { changes, asOwner, stop, events, takeCommits }
}

/** Advances the clock until `check` holds. It stands still while the database answers, however long that takes. */
async function advanceUntil(clock: FakeClock, stepMs: number, check: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (check()) return
      if (!waiting.get(clock)) clock.advance(stepMs)
      expect(check()).toBe(true)
    },
    { interval: 2 },
  )
}

const types = (changes: RoomCommit[]): string[] =>
  changes.flatMap((change) => change.commands.map((command) => command.type))

/** Creates a room with its owner in it. */
async function openRoomWithMember(db: Db, clock: FakeClock): Promise<RoomRow> {
  const room = await openRoom(db, clock)
  await insertMemberships(db, [{ userId: 'owner', roomId: room.id, joinedAtMs: clock.now() }])
  return room
}

async function playFirst(
  process: ReturnType<typeof startProcess>,
  roomId: string,
  tracks: Track[],
): Promise<void> {
  await process.asOwner(roomId, { type: 'pause' })
  for (const track of tracks) {
    await process.asOwner(roomId, {
      type: 'add_track',
      track,
      entryId: `e-${track.id}`,
      addedBy: by('owner'),
    })
  }
  await process.asOwner(roomId, { type: 'play' })
}

describeDatabases('room scheduler', (open) => {
  it('4.16a, 4.13b, 1.2c when a track ends the next one is cued and starts, without any client', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const server = startProcess(db, clock)
    await playFirst(server, room.id, await storeTracks(db, ['t1', 't2'], 60_000))
    const startedAtMs = clock.now()
    server.changes.length = 0

    await advanceUntil(clock, 500, () => server.changes.length >= 1)
    expect(types(server.changes)).toEqual(['track_ended'])
    expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(60_000)
    expect(server.changes[0]?.outcome.state.timeline).toMatchObject({ trackId: 't2', isPlaying: false })
    const cuedAtMs = clock.now()

    await advanceUntil(clock, 100, () => server.changes.length >= 2)
    expect(types(server.changes)).toEqual(['track_ended', 'start_cued'])
    expect(clock.now() - cuedAtMs).toBeLessThanOrEqual(3_500)
    expect(server.changes[1]?.outcome.state.timeline).toMatchObject({ trackId: 't2', isPlaying: true })
  })

  it('16.5 an empty room finishes its track, keeps its queue and goes on when somebody joins', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const server = startProcess(db, clock)
    await playFirst(server, room.id, await storeTracks(db, ['t1', 't2', 't3'], 10_000))
    await deleteMemberships(db, room.id, ['owner'])
    server.changes.length = 0

    await advanceUntil(clock, 500, () => server.changes.length >= 1)
    // In another room everything goes on; this one waits, however many tracks could have ended.
    const other = await openRoomWithMember(db, clock)
    await playFirst(server, other.id, await storeTracks(db, ['o1', 'o2', 'o3'], 10_000))
    const changesOf = (roomId: string) => server.changes.filter((change) => change.roomId === roomId)
    await advanceUntil(
      clock,
      500,
      () => types(changesOf(other.id)).filter((type) => type === 'track_ended').length === 3,
    )
    expect(types(changesOf(room.id))).toEqual(['track_ended'])
    const { state } = await loadRoomState(db, room.id)
    expect(state.timeline).toMatchObject({ trackId: 't2', isPlaying: false, isCueing: false })
    expect(state.queue.map((entry) => entry.id)).toEqual(['t3'])

    await insertMemberships(db, [{ userId: 'ann', roomId: room.id, joinedAtMs: clock.now() }])
    const member = { id: 'ann', username: 'ann', avatar_url: null, is_owner: false }
    await server.events.emit('memberJoined', { roomId: room.id, member, isBack: false })
    await advanceUntil(clock, 500, () => types(changesOf(room.id)).includes('start_cued'))
    expect(types(changesOf(room.id))).toEqual(['track_ended', 'listener_arrived', 'start_cued'])
    const resumed = await loadRoomState(db, room.id)
    expect(resumed.state.timeline).toMatchObject({ trackId: 't2', isPlaying: true, positionMs: 0 })
  })

  it('4.16b when the last track ends the room has no current track', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const server = startProcess(db, clock)
    await playFirst(server, room.id, await storeTracks(db, ['t1'], 10_000))
    await advanceUntil(clock, 500, () => types(server.changes).includes('track_ended'))
    const { state } = await loadRoomState(db, room.id)
    expect(state).toMatchObject({ track: null, timeline: { trackId: null, isPlaying: false } })
  })

  it('4.16a a pause before the end keeps the track from ending', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const server = startProcess(db, clock)
    await playFirst(server, room.id, await storeTracks(db, ['t1', 't2'], 10_000))
    clock.advance(9_000)
    await server.asOwner(room.id, { type: 'pause' })
    server.changes.length = 0
    const other = await openRoomWithMember(db, clock)
    await playFirst(server, other.id, await storeTracks(db, ['t3'], 10_000))
    await advanceUntil(clock, 500, () => types(server.changes).includes('track_ended'))
    expect(server.changes.filter((change) => change.roomId === room.id)).toEqual([])
  })

  it('4.16a a process that starts later resumes the room where it stands, once', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const first = startProcess(db, clock)
    await playFirst(first, room.id, await storeTracks(db, ['t1', 't2', 't3'], 60_000))
    await first.stop()
    // Long enough for several tracks to have ended.
    clock.advance(600_000)

    const second = startProcess(db, clock)
    await advanceUntil(clock, 100, () => types(second.changes).includes('start_cued'))
    expect(types(second.changes)).toEqual(['track_ended', 'start_cued'])
    const { state } = await loadRoomState(db, room.id)
    expect(state.timeline).toMatchObject({ trackId: 't2', isPlaying: true })
    expect(state.queue.map((entry) => entry.id)).toEqual(['t3'])
  })

  it('4.16a, 4.13b another process takes over the rooms of one that died, on time', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const [first, second] = [startProcess(db, clock), startProcess(db, clock)]
    await playFirst(first, room.id, await storeTracks(db, ['t1', 't2'], 10_000))
    const endsAtMs = clock.now() + 10_000
    await first.stop()

    await advanceUntil(clock, 50, () => types(second.changes).includes('start_cued'))
    expect(types(second.changes)).toEqual(['track_ended', 'start_cued'])
    const [ended, started] = second.changes.map((change) => change.outcome.state.timeline)
    expect(ended?.atServerMs).toBeGreaterThanOrEqual(endsAtMs)
    expect(ended?.atServerMs).toBeLessThanOrEqual(endsAtMs + serverLimits.roomSweepMs)
    expect(started).toMatchObject({ trackId: 't2', isPlaying: true })
    expect(first.changes.map((change) => change.outcome.state.timeline.trackId)).not.toContain('t2')
  })

  it('16.302 the process that set the time runs a due room; another does so half a second later once that one is gone', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const [first, second] = [
      startProcess(db, clock, { isShared: true }),
      startProcess(db, clock, { isShared: true }),
    ]
    const [added, ...tracks] = await storeTracks(db, ['t4', 't1', 't2', 't3'], 10_000)
    await playFirst(first, room.id, tracks)
    // A change that leaves the due time as it is.
    await second.asOwner(room.id, { type: 'add_track', track: added!, entryId: 'e-t4', addedBy: by('owner') })
    second.takeCommits()
    second.changes.length = 0
    await advanceUntil(
      clock,
      50,
      () => types(first.changes).filter((type) => type === 'start_cued').length === 1,
    )
    // Long enough for the other process to look.
    const watchedUntilMs = clock.now() + 2_000
    await advanceUntil(clock, 50, () => clock.now() >= watchedUntilMs)
    expect(second.takeCommits()).toBe(0)

    const { timeline } = first.changes.at(-1)!.outcome.state
    await first.stop()
    await advanceUntil(clock, 50, () => types(second.changes).includes('track_ended'))
    const endedAtMs = second.changes[0]!.outcome.state.timeline.atServerMs
    const dueAtMs = timeline.atServerMs + 10_000
    expect(endedAtMs).toBeGreaterThanOrEqual(dueAtMs + 500)
    expect(endedAtMs).toBeLessThanOrEqual(dueAtMs + 600)
  })

  it('4.16a of several processes one acts, and the others find nothing due', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const room = await openRoomWithMember(db, clock)
    const servers = [startProcess(db, clock), startProcess(db, clock), startProcess(db, clock)]
    const tracks = await storeTracks(db, ['t1', 't2', 't3', 't4'], 60_000)
    await playFirst(servers[0]!, room.id, tracks)
    for (const server of servers) server.changes.length = 0
    const all = (): string[] => servers.flatMap((server) => types(server.changes))

    await advanceUntil(clock, 500, () => all().filter((type) => type === 'start_cued').length === 2)
    expect(all().toSorted()).toEqual(['start_cued', 'start_cued', 'track_ended', 'track_ended'])
    expect((await loadRoomState(db, room.id)).state.timeline.trackId).toBe('t3')
  })
})
