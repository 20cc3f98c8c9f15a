import { limits } from '../limits.ts'
import type { Track } from '../protocol/entities.ts'
import { knownDurationMs } from '../sync/duration.ts'
import type { RoomState } from './room-state.ts'

/**
 * Whether a cued track need not wait any longer: everybody present has loaded it, or nine in ten in a large room,
 * where a straggler is always among them (4.13b).
 */
export function isCueComplete(readyCount: number, memberCount: number): boolean {
  const needed = memberCount > limits.cueQuorumAbove ? Math.ceil(memberCount * limits.cueQuorum) : memberCount
  return readyCount >= needed
}

/** Makes a track current at position 0, not playing: listeners load it, and it starts when they are ready, if it may. */
export function cueTrack(
  state: RoomState,
  track: Track,
  { startWhenReady }: { startWhenReady: boolean },
  nowMs: number,
): RoomState {
  return {
    ...state,
    track,
    timeline: {
      trackId: track.id,
      source: track.source,
      isPlaying: false,
      positionMs: 0,
      atServerMs: nowMs,
      durationMs: knownDurationMs(track),
      sequenceNumber: state.timeline.sequenceNumber + limits.sequenceStepOther,
      isCueing: startWhenReady,
    },
    cue: startWhenReady ? { startWhenReady, deadlineAtMs: nowMs + limits.cueTimeoutMs } : null,
  }
}
