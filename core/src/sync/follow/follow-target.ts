import { limits } from '../../limits.ts'
import { clientTimeAt, serverTimeAt } from '../clock/clock-offset.ts'
import { scheduleAheadMs } from './correction-profiles.ts'
import type { FollowCall, TargetLine } from './follow-state.ts'
import { estimatePosition } from '../timestamp-fallback.ts'
import { positionAt } from '../timeline.ts'

/** An instant this near can still be kept by a player that has the sound buffered. */
const nearestScheduleMs = 10
/** So near to its end a track is not corrected any more. */
const endMarginMs = 300

/** Where this listener's player should be at an instant of the client's clock. */
export function targetPosition(call: FollowCall, clientMs: number): number {
  const { timeline, clock } = call
  const positionMs = clock.line
    ? positionAt(timeline, serverTimeAt(clock, clientMs))
    : timeline.isPlaying
      ? estimatePosition(timeline.positionMs, timeline.atServerMs, clientMs)
      : timeline.positionMs
  return positionMs - call.nudgeMs
}

/** When the timeline begins to run, on the client's clock; in the past for one that runs. */
export function startsAtClientMs(call: FollowCall): number {
  const { timeline, clock } = call
  return clock.line ? clientTimeAt(clock, timeline.atServerMs) : Math.min(timeline.atServerMs, call.nowMs)
}

/** How long the player needs from the call, by what was measured. Scheduled ones keep their instant. */
export function latencyMs(call: FollowCall, kind: 'play' | 'align'): number {
  if (call.capabilities.canSchedule) return 0
  const { latencies } = call.history
  return kind === 'play'
    ? (latencies.start.meanMs ?? call.profile.startLatencyMs)
    : (latencies.seek.meanMs ?? call.profile.seekLatencyMs)
}

/**
 * The line that the player should be on, as it is now: a clock whose skew is known better moves the past of the line,
 * which nobody hears any more.
 */
export function targetLine(call: FollowCall): TargetLine {
  const { timeline, nowMs, clock } = call
  const startMs = startsAtClientMs(call)
  const elapsedMs = serverTimeAt(clock, nowMs) - timeline.atServerMs
  const runsSinceMs = startMs > nowMs ? startMs : nowMs - elapsedMs
  return {
    trackId: timeline.trackId,
    isPlaying: timeline.isPlaying,
    originMs: (timeline.isPlaying ? runsSinceMs : 0) - timeline.positionMs + call.nudgeMs,
    seenAtMs: nowMs,
  }
}

/** Whether it is another line, by more than the clock's slewing moves it. */
export function hasJumped(before: TargetLine | null, now: TargetLine): boolean {
  if (!before || before.trackId !== now.trackId || before.isPlaying !== now.isPlaying) return true
  const slewedMs = ((now.seenAtMs - before.seenAtMs) / limits.clockSlewPerMs) * limits.clockSlewMs
  return Math.abs(now.originMs - before.originMs) > 1 + 1.1 * slewedMs
}

/** Whether the timeline has come to the track's end: then it is the server's turn. */
export function isPastEnd(call: FollowCall): boolean {
  const { durationMs } = call.timeline
  return durationMs > 0 && targetPosition(call, call.nowMs) + call.nudgeMs >= durationMs - endMarginMs
}

/** The next point of the line that the player can keep: where, and when. */
export function nextStartPoint(
  call: FollowCall,
  kind: 'play' | 'align',
): { positionMs: number; atClientMs: number } {
  const soonestMs = call.capabilities.canSchedule ? nextSchedule(call) : call.nowMs + latencyMs(call, kind)
  const positionMs = targetPosition(call, soonestMs)
  // Nudged to before the beginning: it begins that much later.
  return { positionMs: Math.max(0, positionMs), atClientMs: soonestMs + Math.max(0, -positionMs) }
}

function nextSchedule(call: FollowCall): number {
  const startMs = startsAtClientMs(call)
  return startMs > call.nowMs + nearestScheduleMs ? startMs : call.nowMs + scheduleAheadMs
}
