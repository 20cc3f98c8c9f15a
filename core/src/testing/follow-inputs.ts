import { type ClockState, addProbe, initialClock } from '../sync/clock/clock-offset.ts'
import { follow } from '../sync/follow/follow.ts'
import { type FollowHistory, type FollowInput, initialFollowHistory } from '../sync/follow/follow-state.ts'
import type { PlayerStatus, PositionSample } from '../sync/follow/player-state.ts'
import type { Timeline } from '../sync/timeline.ts'
import { capabilitiesOf } from './fake-player.ts'

/** Inputs of `follow`: a listener at `nowMs` whose clock is an hour behind the server's. */

/** Creates a clock with an exact offset, probed until an instant of the client's clock; usable with 8 samples. */
export function makeClock(offsetMs: number, untilMs: number, samples = 16): ClockState {
  let clock = initialClock
  for (let sentAtMs = untilMs - 50 * samples; sentAtMs < untilMs; sentAtMs += 50) {
    const serverMs = sentAtMs + 5 + offsetMs
    clock = addProbe(clock, {
      sentAtMs,
      serverReceivedAtMs: serverMs,
      serverSentAtMs: serverMs,
      returnedAtMs: sentAtMs + 10,
    })
  }
  return clock
}

export const nowMs = 1_000_000
export const offsetMs = 3_600_000
const clock = makeClock(offsetMs, nowMs)

export const timelineOf = (rest: Partial<Timeline>): Timeline => ({
  trackId: 'a',
  source: 'library',
  isPlaying: true,
  positionMs: 0,
  atServerMs: nowMs + offsetMs,
  durationMs: 200_000,
  sequenceNumber: 100,
  isCueing: false,
  ...rest,
})
/** Creates a timeline that has been playing for `ms`. */
export const runningFor = (ms: number, rest: Partial<Timeline> = {}): Timeline =>
  timelineOf({ atServerMs: nowMs + offsetMs - ms, ...rest })

export const sampleOf = (status: PlayerStatus, positionMs: number, atClientMs = nowMs): PositionSample => ({
  status,
  positionMs,
  atClientMs,
})

export const inputOf = (rest: Partial<FollowInput>): FollowInput => ({
  nowMs,
  timeline: runningFor(60_000),
  clock,
  capabilities: capabilitiesOf.library,
  loadedTrackId: 'a',
  sample: sampleOf('ready', 0),
  obstacle: null,
  nudgeMs: 0,
  isAlignRequested: false,
  history: initialFollowHistory,
  ...rest,
})

/** Returns the history of a listener who has been following the line of `input` for long. */
export function settled(input: FollowInput): FollowHistory {
  const { history } = follow({ ...input, sample: sampleOf('ready', 0) })
  return { ...history, ignoreUntilMs: 0, isAlignDue: false, lastAction: null }
}
