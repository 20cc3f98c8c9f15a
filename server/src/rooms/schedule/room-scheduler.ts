import type { Clock } from '@earshot/core/clock'
import { diskLookAt, dueCommand, nextDueAt } from '@earshot/core/room/due'
import { type CommandPlan, type RoomState, serverActor } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import type { Db } from '../../db/database.ts'
import { findRoom } from '../../db/rooms.ts'
import { findDueRoom, listDueRooms } from '../../db/scheduled-rooms.ts'
import { hasMembers } from '../../db/user-rooms.ts'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { repeat } from '../../async/repeat.ts'
import { type WorkQueue, createWorkQueue } from '../../async/work-queue.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { toStoredRoom } from '../store/stored-room.ts'
import { startHandOver } from './hand-over.ts'
import { logUnlessGone } from './log-unless-gone.ts'
import { serverLimits } from '../../server-limits.ts'

interface RoomSchedulerParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Presence
  runtime: RoomRuntime
  /** Whether other processes schedule the same rooms. */
  isShared: boolean
}

/** By how much later than the process that set the due time of a room the others look at it. */
const othersWaitMs = 500
/** Bounds the memory of the due times that this process set. */
const ownRoomsKept = 20_000

/** Rooms run in parallel: after a long downtime many are due at once. */
const concurrency = 8

const planDue =
  (isRoomEmpty: boolean): CommandPlan =>
  (state, nowMs) => {
    const command = dueCommand(state, nowMs, { isRoomEmpty })
    return command ? [command] : []
  }

/**
 * Runs rooms when a track ends, a cue reaches its deadline, the controls pass on, or a disk is to be looked for. The due
 * time is stored with the room and survives the process. Every process schedules all rooms: the one that set a room's due
 * time runs it then, the others look half a second later, and find nothing due unless that one is gone (decision 166). The
 * first sweep starts at once, so that a restarted server resumes its rooms. An empty room that awaits listeners goes on when
 * somebody joins. Returns a function that stops it and resolves when no run is under way.
 */
export function startRoomScheduler(parts: RoomSchedulerParts): () => Promise<void> {
  const { clock, db, logger, isShared } = parts
  const timers = createKeyedTimers(clock)
  const dueTimes = isShared ? createDueTimes() : noOthers
  const handOver = startHandOver(parts)
  const queue = createWorkQueue(concurrency, async (roomId) => {
    const state = await runDue(parts, roomId, (dueAtMs) => {
      // A change meanwhile has set a timer for a later time.
      if (!timers.has(roomId)) schedule(roomId, dueAtMs)
    })
    if (!state) return
    if ((state.ownerAbsence?.handOverAtMs ?? Infinity) <= clock.now()) handOver.add(roomId)
    if ((diskLookAt(state) ?? Infinity) <= clock.now()) void parts.events.emit('diskLookDue', { roomId })
  })

  const schedule = (roomId: string, dueAtMs: number | null): void => {
    if (dueAtMs === null || dueAtMs > clock.now() + serverLimits.roomSweepHorizonMs)
      return timers.cancel(roomId)
    timers.set(roomId, dueAtMs + dueTimes.waitMs(roomId, dueAtMs), () => queue.add(roomId))
  }

  const reschedule = (state: RoomState): void => {
    const dueAtMs = nextDueAt(state)
    // A room that is still due after its run waits for the next sweep instead of looping.
    const isStuck = dueAtMs !== null && dueAtMs <= clock.now() && queue.isWorkingOn(state.id)
    schedule(state.id, isStuck ? null : dueAtMs)
  }

  const sweep = async (): Promise<void> => {
    const due = await listDueRooms(
      db,
      clock.now() + serverLimits.roomSweepHorizonMs,
      serverLimits.roomSweepBatchSize,
    )
    for (const room of due) schedule(room.id, room.dueAtMs)
  }

  const arrivals = startArrivals(parts)
  parts.events.on('roomCommitted', ({ outcome: { before, state } }) => {
    dueTimes.note(before, state)
    reschedule(state)
  })
  parts.events.on('roomClosed', ({ roomId }) => dueTimes.forget(roomId))
  const stopSweeping = repeat(clock, { firstMs: 0, everyMs: serverLimits.roomSweepMs }, sweep, (error) =>
    logger.error({ err: error }, 'Could not query rooms that are due; retrying with the next sweep'),
  )

  return async () => {
    await stopSweeping()
    timers.close()
    await queue.close()
    await handOver.close()
    await arrivals.close()
  }
}

/** The due times of rooms that this process set; other processes wait a while before they run those rooms. */
interface DueTimes {
  note(before: RoomState, state: RoomState): void
  /** Returns by how much later this process runs a room that is due then. */
  waitMs(roomId: string, dueAtMs: number): number
  forget(roomId: string): void
}

const noOthers: DueTimes = { note: () => undefined, waitMs: () => 0, forget: () => undefined }

function createDueTimes(): DueTimes {
  const ownDueAtMs = new BoundedMap<string, number>(ownRoomsKept)
  return {
    note(before, state) {
      const dueAtMs = nextDueAt(state)
      if (dueAtMs === null) ownDueAtMs.delete(state.id)
      else if (dueAtMs !== nextDueAt(before)) ownDueAtMs.set(state.id, Math.ceil(dueAtMs))
    },
    waitMs: (roomId, dueAtMs) => (ownDueAtMs.get(roomId) === Math.ceil(dueAtMs) ? 0 : othersWaitMs),
    forget: (roomId) => void ownDueAtMs.delete(roomId),
  }
}

/** Continues rooms that wait for a listener when somebody joins. */
function startArrivals(parts: RoomSchedulerParts): WorkQueue {
  const message = 'Could not continue a room for its listener; it stays paused'
  const arrivals = createWorkQueue(concurrency, (roomId) =>
    continueIfAwaiting(parts, roomId).catch(logUnlessGone(parts.logger, roomId, message)),
  )
  parts.events.on('memberJoined', ({ roomId }) => arrivals.add(roomId))
  return arrivals
}

/** Most joins change nothing: no queue is loaded for them, and no lock taken. */
async function continueIfAwaiting({ db, runtime }: RoomSchedulerParts, roomId: string): Promise<void> {
  const found = await findRoom(db, roomId)
  if (found && toStoredRoom(found).state.isAwaitingListeners) await continueForListener(runtime, roomId)
}

/** Starts a room that waits for a listener; changes no other. */
async function continueForListener(runtime: RoomRuntime, roomId: string): Promise<void> {
  await runtime.runCommand(roomId, { type: 'listener_arrived' }, serverActor)
}

/**
 * Runs a due room; one without members finishes its track and waits. The second check finds a member who joined
 * meanwhile. Resolves to the room; to null where it could not run or is not due, and `onLater` gets when it is.
 */
async function runDue(
  { clock, db, runtime, logger }: RoomSchedulerParts,
  roomId: string,
  onLater: (dueAtMs: number | null) => void,
): Promise<RoomState | null> {
  try {
    const { dueAtMs, hasMember } = await findDueRoom(db, roomId)
    if (dueAtMs === null || dueAtMs > clock.now()) {
      onLater(dueAtMs)
      return null
    }
    const isRoomEmpty = !hasMember
    const { state } = await runtime.runCommand(roomId, planDue(isRoomEmpty), serverActor)
    if (isRoomEmpty && (await hasMembers(db, roomId))) await continueForListener(runtime, roomId)
    return state
  } catch (error) {
    logUnlessGone(logger, roomId, 'Could not run a room that is due; retrying with the next sweep')(error)
    return null
  }
}
