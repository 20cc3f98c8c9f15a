import { limits } from '../limits.ts'
import { isDurationCorrection } from '../sync/duration.ts'
import { positionAt } from '../sync/timeline.ts'
import { changeTimeline } from './playback.ts'
import type { CommandContext, RoomCommand, RoomOutcome, RoomState } from './room-state.ts'

/**
 * The owner's player says where it is. What agrees with the timeline is absorbed; what does not moves the room there.
 * A report from before the latest change is stale, one from before a track runs says nothing.
 */
export function reportPosition(
  state: RoomState,
  command: Extract<RoomCommand, { type: 'report_position' }>,
  { nowMs }: CommandContext,
): RoomOutcome {
  const { timeline } = state
  const atServerMs = Math.min(command.atServerMs, nowMs)
  if (!state.track || state.cue || atServerMs < timeline.atServerMs) return { state, changes: [] }
  const lastMs = timeline.durationMs > 0 ? timeline.durationMs : Infinity
  const positionMs = Math.min(lastMs, Math.max(0, command.positionMs))
  const agreementMs = command.isForced ? limits.forcedReportAgreementMs : limits.seekThresholdMs
  const isAgreed = Math.abs(positionMs - positionAt(timeline, atServerMs)) <= agreementMs
  if (isAgreed) return { state, changes: [] }
  return changeTimeline(state, { positionMs, atServerMs }, limits.sequenceStepOther)
}

/** The owner's player knows the track's duration better than the room does. */
export function correctDuration(state: RoomState, durationMs: number): RoomOutcome {
  const { track, timeline } = state
  if (!track || !isDurationCorrection(track.duration, durationMs)) return { state, changes: [] }
  const corrected = { ...state, track: { ...track, duration: durationMs } }
  const positionMs = Math.min(timeline.positionMs, durationMs)
  const outcome = changeTimeline(corrected, { durationMs, positionMs }, limits.sequenceStepOther)
  return { state: outcome.state, changes: ['playback', 'track'] }
}
