import { by } from '@earshot/core/testing/rooms'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { asMember } from '@earshot/core/room/room-state'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { updateRoomColumns } from '../db/rooms.ts'
import { type BusEvents, createEventBus } from '../events.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { serverLimits } from '../server-limits.ts'
import { type RoomRuntime, createRoomRuntime } from './room-runtime.ts'
import { createVotesToSkip } from './skip-votes.ts'
import { noSyncReports, openRoom, storeTracks } from './testing/fixtures.ts'

/** A room with so many listeners, and two tracks. Its database counts what is read of it. */
async function openVotingRoom(db: Db, listeners: number) {
  const clock = createFakeClock()
  const logger = pino({ level: 'silent' })
  const events = createEventBus(logger)
  const presence = createMemoryPresence(clock)
  const { id: roomId } = await openRoom(db, clock)
  await updateRoomColumns(db, roomId, { settings: '{"skipVotes":"half"}' })
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  let reads = 0
  const countReads: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1
      return result
    },
  }
  const skips: { atMs: number; fails: boolean }[] = []
  let failures = 0
  const runCommand: RoomRuntime['runCommand'] = async (...command) => {
    const fails = failures > 0
    failures = 0
    skips.push({ atMs: clock.now(), fails })
    if (fails) throw new Error('the database is away')
    return await runtime.runCommand(...command)
  }
  const readiness = { findLoadedNext: () => Promise.resolve(null) }
  const parts = { db: db.withPlugin(countReads), clock, logger, events, presence, readiness }
  const votesToSkip = createVotesToSkip({ ...parts, runtime: { runCommand } })
  const sent: BusEvents['skipVotesCounted'][] = []
  events.on('skipVotesCounted', (counted) => void sent.push(counted))
  for (const track of await storeTracks(db, ['t1', 't2', 't3'])) {
    const add = { type: 'add_track', track, entryId: track.id, addedBy: by('owner') } as const
    await runtime.runCommand(roomId, add, asMember('owner', false))
  }
  const ids = Array.from({ length: listeners }, (_, index) => `u${index}`)
  await presence.acquire(
    ids.map((id) => ({
      roomId,
      userId: id,
      holderId: 'socket',
      member: { id, username: id, avatar_url: null, is_owner: false },
      isConnected: true,
    })),
    600_000,
  )
  const vote = (userId: string, isFor = true, sequenceNumber = 1_000_000) =>
    votesToSkip.vote(roomId, { userId, sequenceNumber, isFor })
  const failNext = () => void (failures = 1)
  const hear = async (counted: object) => {
    await vi.waitFor(() => {
      clock.advance(serverLimits.skipVotesBatchMs)
      expect(sent.at(-1)).toMatchObject(counted)
    })
  }
  return { clock, presence, roomId, votesToSkip, sent, ids, vote, hear, skips, failNext, reads: () => reads }
}

describeDatabases('votes to skip', (open) => {
  it('17.473 a thousand votes at once are few messages and readings, and skip once', async () => {
    const { clock, sent, ids, vote, hear, skips, reads } = await openVotingRoom(await open(), 1_000)
    await vote('u0')
    await hear({ votes: 1, needed: 501 })
    clock.advance(60_000)
    sent.splice(0)
    const readBefore = reads()
    for (let step = 0; step < 10; step += 1) {
      await Promise.all(ids.slice(50 * step, 50 * step + 50).map((id) => vote(id)))
      clock.advance(100)
    }
    await hear({ trackId: 't1', votes: 500, needed: 501 })
    // A room of 1,000 gets one a second.
    expect(sent.length).toBeLessThanOrEqual(3)
    expect(reads() - readBefore).toBeLessThanOrEqual(40)
    expect(skips).toEqual([])

    await Promise.all(ids.slice(500).map((id) => vote(id)))
    expect(skips).toHaveLength(1)
    await hear({ trackId: 't2', needed: 501 })
  })

  it('17.471 a vote for what is over is ignored, and one that is repeated or taken back counts once or not', async () => {
    const room = await openVotingRoom(await open(), 5)
    const first = await room.vote('u0')
    expect(first).toMatchObject({ trackId: 't1', votes: 1, needed: 3, isOwn: true })
    expect(await room.vote('u0')).toEqual(first)
    expect(await room.vote('u1', true, first!.turn - 1)).toEqual({ ...first, isOwn: false })
    expect(await room.vote('u0', false)).toMatchObject({ votes: 0, isOwn: false })
    expect(await room.vote('stranger')).toMatchObject({ votes: 0, isOwn: false })
  })

  it('17.472 a skip that fails is tried again by the next vote', async () => {
    const room = await openVotingRoom(await open(), 3)
    await room.vote('u0')
    room.failNext()
    await expect(room.vote('u1')).rejects.toThrow('away')
    await room.vote('u2')
    expect((await room.vote('u0', false))?.trackId).toBe('t2')
  })

  it('17.470 a room without votes reads nothing when somebody joins, and counts none', async () => {
    const db = await open()
    const room = await openVotingRoom(db, 3)
    await updateRoomColumns(db, room.roomId, { settings: '{}' })
    const row = await db
      .selectFrom('rooms')
      .selectAll()
      .where('id', '=', room.roomId)
      .executeTakeFirstOrThrow()
    const readBefore = room.reads()
    expect(await room.votesToSkip.welcome(row, 'u0')).toBeNull()
    expect(room.reads()).toBe(readBefore)
    expect(await room.vote('u0')).toBeNull()
    expect((await room.presence.countVotes(room.roomId, 0)).votes).toBe(0)
  })

  it('17.474 who joins gets the counts and the own vote, and the others what is needed now', async () => {
    const db = await open()
    const room = await openVotingRoom(db, 3)
    await room.vote('u0')
    await room.hear({ votes: 1 })
    room.sent.splice(0)
    const row = await db
      .selectFrom('rooms')
      .selectAll()
      .where('id', '=', room.roomId)
      .executeTakeFirstOrThrow()
    expect(await room.votesToSkip.welcome(row, 'u0')).toMatchObject({ votes: 1, needed: 2, isOwn: true })
    expect(await room.votesToSkip.welcome(row, 'u1')).toMatchObject({ votes: 1, needed: 2, isOwn: false })
    await room.hear({ votes: 1, needed: 2 })
  })
})
