import { by } from '@earshot/core/testing/rooms'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import type { FileState } from '../../library/missing-file.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { startMissingTrackSkip } from './missing-track-skip.ts'

/** A room that plays `t1`, with `t2` in its queue, and files in these states; its clock advances by the test. */
async function playWith(states: Readonly<Record<string, FileState | Promise<FileState>>>) {
  const db = await borrowDatabase()
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const [events, clock] = [createEventBus(logger), createFakeClock()]
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  const room = await openRoom(db, clock)
  const owner = { kind: 'user', id: 'owner', isMember: true } as const
  // Otherwise the first track waits for members to load it.
  await runtime.runCommand(room.id, { type: 'pause' }, owner)
  for (const track of await storeTracks(db, ['t1', 't2'])) {
    const command = { type: 'add_track', track, entryId: track.id, addedBy: by('owner') } as const
    await runtime.runCommand(room.id, command, owner)
  }
  await runtime.runCommand(room.id, { type: 'play' }, owner)
  const findFileState = async ({ id }: { id: string }): Promise<FileState> => states[id] ?? 'there'
  const stop = startMissingTrackSkip({
    db,
    logger,
    events,
    runtime,
    clock,
    findFileState,
    isScanning: () => false,
  })
  onTestFinished(stop)
  await events.emit('audioMissing', { trackId: 't1' })
  const read = async () => {
    const { track, queue } = (await loadRoomState(db, room.id)).state
    return { current: track?.id ?? null, queue: queue.map(({ id }) => id) }
  }
  /** Until the room waits for a scan that may find the file. */
  const untilItWaits = () => vi.waitFor(() => expect(clock.pending).toBe(1))
  const readPlayback = async () => {
    const { track, timeline, cue } = (await loadRoomState(db, room.id)).state
    return { current: track?.id ?? null, isPlaying: timeline.isPlaying, isCued: cue !== null }
  }
  const command = (given: RoomCommand) => runtime.runCommand(room.id, given, owner)
  return { clock, events, warnings, untilItWaits, read, readPlayback, command }
}

it('17.310 a track that plays and cannot be read is left for one that can, after 5 s', async () => {
  const { clock, warnings, untilItWaits, read } = await playWith({ t1: 'unreadable' })
  await untilItWaits()
  clock.advance(4_000)
  await untilItWaits()
  expect(await read()).toEqual({ current: 't1', queue: ['t2'] })
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(await read()).toEqual({ current: 't2', queue: [] })
  })
  expect(warnings.join()).toContain("The current track's file cannot be read")
})

it('17.310 a track that cannot be read stays where no file of the queue can be read either', async () => {
  const { clock, warnings, read } = await playWith({ t1: 'unreadable', t2: 'unreadable' })
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(warnings).toHaveLength(1)
  })
  await clock.advanceAsync(30_000)
  expect(await read()).toEqual({ current: 't1', queue: ['t2'] })
})

it('17.310 a track that is gone is left, and what cannot be read behind it stays', async () => {
  const { clock, read } = await playWith({ t1: 'gone', t2: 'unreadable' })
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(await read()).toEqual({ current: 't2', queue: [] })
  })
  await clock.advanceAsync(30_000)
  expect(await read()).toEqual({ current: 't2', queue: [] })
})

it('17.176 the time in which the disk does not answer is none in which the file may be found', async () => {
  const late = Promise.withResolvers<FileState>()
  let looks = 0
  const { clock, untilItWaits, read } = await playWith({
    get t1() {
      looks += 1
      return looks === 2 ? late.promise : 'gone'
    },
  })
  await untilItWaits()
  clock.advance(500)
  await vi.waitFor(() => expect(looks).toBe(2))
  clock.advance(30_000)
  late.resolve('gone')
  await untilItWaits()
  expect(await read()).toEqual({ current: 't1', queue: ['t2'] })
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(await read()).toEqual({ current: 't2', queue: [] })
  })
})

it('16.318 a track that plays goes on while its disk is away', async () => {
  const states: Record<string, FileState> = {}
  const { clock, events, readPlayback } = await playWith(states)
  await clock.advanceAsync(10_000)
  states['t1'] = 'unmounted'
  await events.emit('audioMissing', { trackId: 't1' })
  for (let seconds = 0; seconds < 10; seconds += 5) await clock.advanceAsync(5_000)
  expect(await readPlayback()).toEqual({ current: 't1', isPlaying: true, isCued: false })
})
