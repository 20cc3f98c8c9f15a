import { by } from '@earshot/core/testing/rooms'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { type FakeClock, createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import type { Db } from '../../db/database.ts'
import { createEventBus } from '../../events.ts'
import type { FileState } from '../../library/missing-file.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { loadRoomState } from '../store/room-store.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { startMissingTrackSkip } from './missing-track-skip.ts'
import { startRoomScheduler } from './room-scheduler.ts'

type FileStates = Record<string, FileState>

/** Starts what a server process does with rooms whose disk is away. */
function startProcess({ db, clock, states }: { db: Db; clock: FakeClock; states: FileStates }) {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const events = createEventBus(logger)
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  const parts = { db, logger, events, runtime, clock }
  const findFileState = async ({ id }: { id: string }): Promise<FileState> => states[id] ?? 'there'
  const presence = createMemoryPresence(clock)
  const stopScheduler = startRoomScheduler({ ...parts, presence, isShared: false })
  const stopSkip = startMissingTrackSkip({ ...parts, findFileState, isScanning: () => false })
  const stop = async (): Promise<void> => {
    await stopSkip()
    await stopScheduler()
  }
  onTestFinished(stop)
  return { runtime, warnings, stop }
}

/** A room that plays `t1`, with `t2` in its queue, whose disk is away. */
async function playBesideUnmountedDisk() {
  const db = await borrowDatabase()
  const [clock, states] = [createFakeClock(), { t2: 'unmounted' } as FileStates]
  const start = () => startProcess({ db, clock, states })
  const { id: roomId } = await openRoom(db, clock)
  const first = start()
  const commandAs =
    ({ runtime }: ReturnType<typeof start>) =>
    (command: RoomCommand) =>
      runtime.runCommand(roomId, command, { kind: 'user', id: 'owner', isMember: true })
  const command = commandAs(first)
  // Otherwise the first track waits for members to load it.
  await command({ type: 'pause' })
  for (const track of await storeTracks(db, ['t1', 't2']))
    await command({ type: 'add_track', track, entryId: track.id, addedBy: by('owner') })
  await command({ type: 'play' })
  const read = async () => {
    const { track, timeline, queue, cue } = (await loadRoomState(db, roomId)).state
    const { isPlaying } = timeline
    return { current: track?.id ?? null, queued: queue.length, isPlaying, isCued: cue !== null }
  }
  /** Until the process has looked for the disk. */
  const passLooks = async (): Promise<void> => {
    for (let seconds = 0; seconds < 20; seconds += 5) await clock.advanceAsync(5_000)
  }
  return { clock, states, start, first, command, commandAs, read, passLooks }
}

const held = { current: 't2', queued: 0, isPlaying: false, isCued: false }

it('16.318 a room waits at the beginning of a track whose disk is away, and starts it when the disk is back', async () => {
  const { clock, states, first, command, read, passLooks } = await playBesideUnmountedDisk()
  await command({ type: 'next' })
  await vi.waitFor(async () => expect(await read()).toEqual(held))
  expect(first.warnings.join()).toContain('The disk of a track is not available')
  await passLooks()
  expect(await read()).toEqual(held)
  delete states['t2']
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(await read()).toEqual({ ...held, isPlaying: true })
  })
})

it('16.318 what somebody commands meanwhile ends the wait', async () => {
  const { states, command, read, passLooks } = await playBesideUnmountedDisk()
  await command({ type: 'next' })
  await vi.waitFor(async () => expect(await read()).toEqual(held))
  await command({ type: 'play' })
  await command({ type: 'pause' })
  delete states['t2']
  await passLooks()
  expect(await read()).toEqual(held)
})

it('16.323 the wait goes on at the process that runs after the one that noticed, also once the owner is back', async () => {
  const { clock, states, start, first, command, commandAs, read, passLooks } = await playBesideUnmountedDisk()
  await command({ type: 'next' })
  await vi.waitFor(async () => expect(await read()).toEqual(held))
  await first.stop()
  clock.advance(60_000)
  const second = start()
  await commandAs(second)({ type: 'owner_joined', othersPresent: 0 })
  await passLooks()
  expect(await read()).toEqual(held)
  delete states['t2']
  await vi.waitFor(async () => {
    await clock.advanceAsync(500)
    expect(await read()).toEqual({ ...held, isPlaying: true })
  })
})
