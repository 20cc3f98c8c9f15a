import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { mayFollow } from '@earshot/core/room/next-track'
import { serverActor } from '@earshot/core/room/room-state'
import { leadMs } from '@earshot/core/sync/lead'
import { endsAt, type Timeline } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { EventBus } from '../../events.ts'
import type { SyncReports } from '../../sync-reports/sync-reports.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'
import type { TrackReadiness } from './track-readiness.ts'

interface GaplessStartParts {
  clock: Clock
  logger: Logger
  events: EventBus
  runtime: RoomRuntime
  readiness: Pick<TrackReadiness, 'findLoadedNext'>
  syncReports: Pick<SyncReports, 'audience'>
}

/** Storing and sending a start takes up to this long, on top of its lead. */
const storedWithinMs = 100
/** Starts are due at an instant, so few of them wait for each other. */
const startConcurrency = 50
const returnConcurrency = 4

/**
 * Starts the next library track at the end of the current one, ahead of it, where the listeners have loaded it by then
 * (17.462); otherwise the scheduler cues it at that end. The process that changed a room last looks after it, or, where that
 * one is gone, the process that a member comes back to; without them, too, the track is cued. Returns a function that stops
 * it and resolves when no start is under way.
 */
export function startGaplessStarts(parts: GaplessStartParts): () => Promise<void> {
  const { clock, logger, events, runtime, readiness, syncReports } = parts
  const timers = createKeyedTimers(clock)

  const startNext = async (roomId: string): Promise<void> => {
    const loaded = await readiness.findLoadedNext(roomId)
    if (loaded) await runtime.runCommand(roomId, { type: 'start_next', ...loaded }, serverActor)
  }
  const starts = createWorkQueue(startConcurrency, (roomId) => {
    const message = 'Could not start the next track ahead of the end; it is cued at the end'
    return startNext(roomId).catch(logUnlessGone(logger, roomId, message))
  })

  const look = (roomId: string, timeline: Timeline): void => {
    const endMs = endsAt(timeline)
    if (endMs === null) return timers.cancel(roomId)
    const nowMs = clock.now()
    const leadNowMs = leadMs(syncReports.audience(roomId), { timeline, hasPlayed: true }, nowMs)
    const untilEndMs = endMs - storedWithinMs - nowMs
    // The lead depends on the members present at that time.
    const aheadMs = untilEndMs > limits.leadMaxMs ? limits.leadMaxMs : leadNowMs
    // A track that is shorter than the lead begins first: until then, the one before it sounds.
    const lookAtMs = Math.max(endMs - storedWithinMs - aheadMs, timeline.atServerMs)
    if (lookAtMs > nowMs) return timers.set(roomId, lookAtMs, () => look(roomId, timeline))
    starts.add(roomId)
  }

  events.on('roomCommitted', ({ outcome: { state } }) => {
    if (mayFollow(state)) look(state.id, state.timeline)
    else timers.cancel(state.id)
  })
  events.on('roomClosed', ({ roomId }) => timers.cancel(roomId))
  // By a change of nothing, which keeps its place among the others.
  const returns = createWorkQueue(returnConcurrency, async (roomId) => {
    const message = 'Could not read a room again; its next track is cued at the end of the current one'
    await runtime.runCommand(roomId, () => [], serverActor).catch(logUnlessGone(logger, roomId, message))
  })
  events.on('memberJoined', ({ roomId, isBack }) => {
    if (isBack) returns.add(roomId)
  })
  return async () => {
    timers.close()
    await Promise.all([returns.close(), starts.close()])
  }
}
