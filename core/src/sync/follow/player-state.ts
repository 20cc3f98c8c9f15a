import type { PlayerKind } from '../../protocol/socket-events.ts'

/** What the sync rules know of a player: what it can do, and where it says it is. */

export type PlayerStatus =
  'idle' | 'loading' | 'ready' | 'playing' | 'paused' | 'buffering' | 'ended' | 'error'

export interface PlayerCapabilities {
  /** Which row of the correction table applies. */
  profile: PlayerKind
  /** `play` can be given an instant and keeps it to the sample. */
  canSchedule: boolean
  /** Playback rates it honours: any, a list, or none but 1. */
  rates: 'any' | readonly number[] | 'none'
  /** How finely its position is known, in ms. */
  granularityMs: number
}

/** Where the player was at an instant of the client's monotonic wall clock (both ms). */
export interface PositionSample {
  positionMs: number
  atClientMs: number
  status: PlayerStatus
}
