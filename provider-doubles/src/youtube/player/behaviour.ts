/** How the player in the frame behaves. Plain data: the frame reads it from the double when it loads a video. */
export interface PlayerBehaviour {
  /**
   * `fine`: multiples of 0.05. `coarse`: steps of 0.25, rounded toward 1. `read_back_only`: reads back like `fine`, but
   * the media runs at the step of `coarse`.
   */
  rates: 'fine' | 'coarse' | 'read_back_only'
  /** From the play command to the first sound. */
  startLatencyMs: number
  /** How long a seek buffers, while playing. */
  seekLatencyMs: number
  /** How long after the video began to play its duration is 0. */
  metadataDelayMs: number
  /** Blocks unmuted playback until a gesture in the page or the frame, whatever the browser's own policy allows. */
  isAutoplayBlocked: boolean
  /** The error that loading the video reports: 2, 5, 100, 101, 150 or 153. */
  error: number | null
  stall: PlayerStall | null
  ad: PlayerAd | null
}

/** Stops the media once at a position, while the state stays `playing` or becomes `buffering`. */
export interface PlayerStall {
  atMs: number
  forMs: number
  state: 'playing' | 'buffering'
}

/**
 * An advertisement at a position, once per load. The state is 1; no event tells it from the video. `clock`: whether
 * `getCurrentTime` stands still or counts the ad's own seconds. `states`: whose duration `getDuration` states meanwhile.
 */
export interface PlayerAd {
  atMs: number
  durationMs: number
  clock: 'still' | 'own'
  states?: 'video' | 'own'
}

export const defaultBehaviour: PlayerBehaviour = {
  rates: 'fine',
  startLatencyMs: 120,
  seekLatencyMs: 150,
  metadataDelayMs: 80,
  isAutoplayBlocked: false,
  error: null,
  stall: null,
  ad: null,
}

/** The facts that the player learns when it loads a video. */
export interface LoadedVideo {
  id: string
  title: string
  channelTitle: string
  durationMs: number
  behaviour: PlayerBehaviour
}
