import { by } from '@earshot/core/testing/rooms'
import type { Source } from '@earshot/core/protocol/entities'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { addListeningTime, findListeningTime } from '../db/listening-time.ts'
import { insertProfile } from '../db/profiles.ts'
import { upsertTracks } from '../db/tracks.ts'
import { deleteMemberships, insertMemberships } from '../db/user-rooms.ts'
import { createEventBus } from '../events.ts'
import { startListeningTime } from './listening-time.ts'
import { createRoomRuntime } from './room-runtime.ts'
import { noSyncReports, openRoom } from './testing/fixtures.ts'

const minuteMs = 60_000

/** Starts what counts in one server process. */
function startProcess(db: Db, clock: FakeClock) {
  const logger = pino({ level: 'silent' })
  const events = createEventBus(logger)
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  const counter = startListeningTime({ db, clock, logger, events })
  onTestFinished(() => counter.close())
  return {
    ...counter,
    run: (roomId: string, command: RoomCommand) =>
      runtime.runCommand(roomId, command, { kind: 'user', id: 'owner', isMember: true }),
    enter: (roomId: string, userId: string) =>
      insertMemberships(db, [{ roomId, userId, joinedAtMs: clock.now() }]),
    async leave(roomId: string, userId: string) {
      await events.emit('membersLeaving', { roomId, userIds: [userId] })
      await deleteMemberships(db, roomId, [userId])
    },
  }
}

type Process = ReturnType<typeof startProcess>

/** Opens a room with one track per source in its queue, the first one current. */
async function openRoomWith(db: Db, clock: FakeClock, process: Process, ...sources: Source[]) {
  const { id } = await openRoom(db, clock)
  const tracks = sources.map((source) => ({ ...makeTrack(`${source}-${id}`, 3_600_000), source }))
  await upsertTracks(db, tracks, clock.now())
  await process.run(id, { type: 'pause' })
  for (const track of tracks)
    await process.run(id, { type: 'add_track', track, entryId: `e-${track.id}`, addedBy: by('owner') })
  return id
}

/** Makes users named u0, u1 ... members of a room. */
async function enterMany(db: Db, roomId: string, count: number, joinedAtMs: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    user_id: `u${index}`,
    room_id: roomId,
    joined_at: joinedAtMs,
  }))
  await db.insertInto('user_rooms').values(rows).execute()
}

/** Plays, and makes u0 to u1099 members after a second: three pages, of which u999 is in the last. They are 30 s old. */
async function playToManyMembers(db: Db, clock: FakeClock, server: Process, roomId: string): Promise<void> {
  await server.run(roomId, { type: 'play' })
  clock.advance(1_000)
  await enterMany(db, roomId, 1_100, clock.now())
  clock.advance(30_000)
}

async function countedMs(db: Db, userId: string) {
  return (await findListeningTime(db, userId))?.bySource ?? { library: 0, spotify: 0, youtube: 0 }
}

/** A scheduled start lies a little in the future, so figures are a little below the time played. */
function expectMinutes(ms: number, minutes: number): void {
  expect(ms).toBeGreaterThan(minutes * minuteMs - 1_000)
  expect(ms).toBeLessThanOrEqual(minutes * minuteMs)
}

describeDatabases('listening time', (open) => {
  async function start() {
    const [db, clock] = [await open(), createFakeClock()]
    return { db, clock, server: startProcess(db, clock) }
  }
  const waitFor = (check: () => Promise<void>) => vi.waitFor(check)

  it('2.32, 3.11 a new account has zeros and no favourite', async () => {
    const { server } = await start()
    expect(await server.readStats('ann')).toEqual({
      totalRoomsCreated: 0,
      totalPlaytime: 0,
      favoriteService: null,
    })
  })

  it('2.32, 3.11 counts created rooms, minutes while the room plays, and the favourite source', async () => {
    const { db, clock, server } = await start()
    await insertProfile(db, { id: 'owner', username: 'owner', avatarUrl: null, createdAtMs: 1 })
    const roomId = await openRoomWith(db, clock, server, 'library', 'youtube')
    await openRoomWith(db, clock, server, 'library')
    await server.enter(roomId, 'ann')
    clock.advance(5 * minuteMs)
    await server.run(roomId, { type: 'play' })
    clock.advance(1.5 * minuteMs)
    expect(await server.readStats('ann')).toMatchObject({ totalPlaytime: 1, favoriteService: 'library' })
    for (const type of ['pause', 'next', 'play'] as const) await server.run(roomId, { type })
    clock.advance(2 * minuteMs)
    await server.run(roomId, { type: 'pause' })
    clock.advance(5 * minuteMs)
    await waitFor(async () => expectMinutes((await countedMs(db, 'ann')).youtube, 2))
    expectMinutes((await countedMs(db, 'ann')).library, 1.5)
    expect(await server.readStats('ann')).toEqual({
      totalRoomsCreated: 0,
      totalPlaytime: 3,
      favoriteService: 'youtube',
    })
    expect(await server.readStats('owner')).toMatchObject({ totalRoomsCreated: 2, totalPlaytime: 0 })
  })

  it('15.5 counts every minute, from joining until leaving', async () => {
    const { db, clock, server } = await start()
    const roomId = await openRoomWith(db, clock, server, 'library')
    await server.run(roomId, { type: 'play' })
    clock.advance(10_000)
    await server.enter(roomId, 'ann')
    clock.advance(minuteMs)
    await waitFor(async () => expect((await countedMs(db, 'ann')).library).toBeGreaterThan(0))
    clock.advance(25_000)
    await server.leave(roomId, 'ann')
    expect((await countedMs(db, 'ann')).library).toBe(85_000)
    clock.advance(10 * minuteMs)
    expect((await server.readStats('ann')).totalPlaytime).toBe(1)
  })

  it('15.5 a seek loses nothing, and seeking all the time costs one count in 5 s', async () => {
    const { db, clock, server } = await start()
    const roomId = await openRoomWith(db, clock, server, 'library')
    await server.enter(roomId, 'ann')
    await server.run(roomId, { type: 'play' })
    clock.advance(30_000)
    await server.run(roomId, { type: 'seek', positionMs: 600_000 })
    clock.advance(30_000)
    await waitFor(async () => expect((await countedMs(db, 'ann')).library).toBeGreaterThan(29_000))
    await server.readStats('ann')
    expectMinutes((await countedMs(db, 'ann')).library, 1)

    const queries = vi.spyOn(db, 'insertInto')
    for (let seek = 0; seek < 20; seek++) {
      clock.advance(100)
      await server.run(roomId, { type: 'seek', positionMs: seek * 1_000 })
    }
    const counts = queries.mock.calls.filter(([table]) => table === 'listening_time')
    // One may have been under way.
    expect(counts.length).toBeLessThanOrEqual(2)
  })

  it('15.6 an instant counts once, in however many rooms and processes', async () => {
    const { db, clock, server } = await start()
    const other = startProcess(db, clock)
    const rooms = [
      await openRoomWith(db, clock, server, 'library'),
      await openRoomWith(db, clock, other, 'spotify'),
    ]
    for (const roomId of rooms) {
      await server.run(roomId, { type: 'play' })
      await server.enter(roomId, 'ann')
    }
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(minuteMs)
      await Promise.all([server.readStats('ann'), other.readStats('ann')])
    }
    const { library, spotify } = await countedMs(db, 'ann')
    expect(Math.round((library + spotify) / minuteMs)).toBe(3)
  })

  it('15.6 a process that counts late adds only what is missing', async () => {
    const { db } = await start()
    const add = (sinceMs: number, untilMs: number, source: Source = 'library') =>
      addListeningTime(db, [{ userId: 'ann', source, sinceMs }], untilMs)
    await add(0, 60_000)
    await add(20_000, 50_000)
    await add(50_000, 70_000, 'spotify')
    await add(90_000, 95_000)
    expect(await findListeningTime(db, 'ann')).toEqual({
      bySource: { library: 65_000, spotify: 10_000, youtube: 0 },
      countedUntilMs: 95_000,
    })
  })

  it('15.7 a restart keeps what was counted, and does not count the time without a server', async () => {
    const { db, clock, server } = await start()
    const roomId = await openRoomWith(db, clock, server, 'library')
    await server.enter(roomId, 'ann')
    await server.run(roomId, { type: 'play' })
    clock.advance(50_000)
    await server.close()
    expectMinutes((await countedMs(db, 'ann')).library, 5 / 6)

    clock.advance(40 * minuteMs)
    const next = startProcess(db, clock)
    await next.readStats('ann')
    expect((await countedMs(db, 'ann')).library).toBeLessThanOrEqual(50_000 + 2 * minuteMs)
  })

  it('15.5 a change that is still being counted loses nothing to a count of the same members after it', async () => {
    const { db, clock, server } = await start()
    const roomId = await openRoomWith(db, clock, server, 'library')
    await playToManyMembers(db, clock, server, roomId)
    await server.run(roomId, { type: 'seek', positionMs: 600_000 })
    clock.advance(10_000)
    expect(await server.readStats('u999')).toMatchObject({ favoriteService: 'library' })
    expectMinutes((await countedMs(db, 'u999')).library, 40 / 60)
  })

  it('15.5 members beyond the first page are counted', async () => {
    const { db, clock, server } = await start()
    const roomId = await openRoomWith(db, clock, server, 'library')
    await playToManyMembers(db, clock, server, roomId)
    await server.run(roomId, { type: 'pause' })
    await server.close()
    const { count } = await db
      .selectFrom('listening_time')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('library_ms', '=', 30_000)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1_100)
  })
})
