import { limits } from '../limits.ts'
import type { UnplayableReason } from '../protocol/providers.ts'
import { missingReferrerCode } from './video-errors.ts'
import { isDue } from './deadlines.ts'

/** The state machine of the visible video player (4.23, 9.18). Instants in ms of the caller's monotonic clock. */

export type VideoPhase = 'loading' | 'ready' | 'error'

/** A failure as the page explains it (8.6). Each failure is a new object. */
export type VideoProblem =
  /** The player could not be loaded; another attempt follows. */
  | { kind: 'load_failed'; reason: string }
  /** No further attempts. */
  | { kind: 'gave_up' }
  /** The player reported an error code. */
  | { kind: 'code'; code: number }

interface VideoPlayerState {
  phase: VideoPhase
  /** Whether the page has a place for the player; without one nothing is created. */
  hasPlace: boolean
  /** The video to show; null while none is wanted. */
  videoId: string | null
  /** `script`: the provider's script loads. `starting`: the player was created and is not ready yet. */
  player: 'none' | 'script' | 'starting' | 'ready'
  problem: VideoProblem | null
  /** Since the last player that became ready. */
  failedLoads: number
  recreations: number
  /** Errors of this video since it last played. */
  failedPlays: number
  deadlines: VideoPlayerDeadlines
}

interface VideoPlayerDeadlines {
  /** The script or the player took too long. */
  timeoutAtMs: number | null
  /** Another attempt to load the player, or the video. */
  retryAtMs: number | null
  /** The initial seek and pause. */
  settleAtMs: number | null
}

export type VideoPlayerEvent =
  /** Shows a video. Also the user's own retry. */
  | { type: 'load'; videoId: string }
  /** The provider's script is ready, and the player was created. */
  | { type: 'created' }
  | { type: 'load_failed'; reason: string }
  | { type: 'ready' }
  /** The video plays. */
  | { type: 'playing' }
  | { type: 'player_error'; code: number }
  /** The player's frame was removed from the page by somebody else, such as an extension of the browser. */
  | { type: 'frame_removed' }
  /** The player has a place on the page, another one than before, or none any more. */
  | { type: 'place_changed'; hasPlace: boolean }
  /** A deadline is reached. Harmless at any other time. */
  | { type: 'due' }

export type VideoPlayerEffect =
  /** Creates the player with the video, in place of an earlier one; report `created`, then `ready`. */
  | { type: 'create'; videoId: string }
  /** Cues a video in the ready player. */
  | { type: 'cue'; videoId: string }
  /** Seeks to the position of the load and pauses, unless playback was requested meanwhile. */
  | { type: 'settle' }
  /** Nobody can play the video here. */
  | { type: 'unplayable'; videoId: string; reason: UnplayableReason }
  | { type: 'remove' }

interface VideoPlayerStep {
  state: VideoPlayerState
  effects: VideoPlayerEffect[]
}

const noDeadlines: VideoPlayerDeadlines = { timeoutAtMs: null, retryAtMs: null, settleAtMs: null }

export const initialVideoPlayer: VideoPlayerState = {
  phase: 'loading',
  hasPlace: false,
  videoId: null,
  player: 'none',
  problem: null,
  failedLoads: 0,
  recreations: 0,
  failedPlays: 0,
  deadlines: noDeadlines,
}

/** The errors that no reload heals. */
const unplayableCodes = new Map<number, UnplayableReason>([
  [100, 'removed'],
  [101, 'not_embeddable'],
  [150, 'not_embeddable'],
])

/**
 * Advances the video player: load, retry, re-create, reload after errors. The caller carries out the effects, reports
 * events of its latest player only, and sends `due` at the `earliest` of the deadlines.
 */
export function stepVideoPlayer(
  state: VideoPlayerState,
  event: VideoPlayerEvent,
  nowMs: number,
): VideoPlayerStep {
  switch (event.type) {
    case 'load':
      return load(state, event.videoId, nowMs)
    case 'created':
      return withoutEffects(state.player === 'script' ? awaitReady(state, nowMs) : state)
    case 'load_failed':
      return failLoad(state, event.reason, nowMs)
    case 'ready':
      return withoutEffects(state.player === 'starting' ? becomeReady(state, nowMs) : state)
    case 'playing':
      return withoutEffects({ ...state, phase: 'ready', problem: null, failedPlays: 0 })
    case 'player_error':
      return failPlayback(state, event.code, nowMs)
    case 'frame_removed':
      return replaceFrame(state, nowMs)
    case 'place_changed':
      return changePlace(state, event.hasPlace, nowMs)
    case 'due':
      return actOnDeadlines(state, nowMs)
  }
}

const withoutEffects = (state: VideoPlayerState): VideoPlayerStep => ({ state, effects: [] })

function load(state: VideoPlayerState, videoId: string, nowMs: number): VideoPlayerStep {
  const fresh = { ...state, videoId, phase: 'loading', problem: null, failedPlays: 0 } as const
  if (state.player === 'ready') return cue(fresh, nowMs)
  const isOnItsWay = state.player !== 'none' && state.videoId === videoId
  return isOnItsWay ? withoutEffects(fresh) : create({ ...fresh, failedLoads: 0, recreations: 0 }, nowMs)
}

/** A ready player has no event for a cued video: it counts as loaded at once, and an error may follow. */
function cue(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  if (state.videoId === null) return withoutEffects(state)
  return {
    state: becomeReady(state, nowMs),
    effects: [{ type: 'cue', videoId: state.videoId }],
  }
}

function create(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  if (state.videoId === null || !state.hasPlace) {
    return withoutEffects({ ...state, player: 'none', deadlines: noDeadlines })
  }
  return {
    state: {
      ...state,
      phase: 'loading',
      player: 'script',
      deadlines: { ...noDeadlines, timeoutAtMs: nowMs + limits.videoScriptTimeoutMs },
    },
    effects: [{ type: 'create', videoId: state.videoId }],
  }
}

function awaitReady(state: VideoPlayerState, nowMs: number): VideoPlayerState {
  const isLast = state.recreations >= limits.videoRecreations
  const timeoutMs = isLast ? limits.videoLastReadyTimeoutMs : limits.videoReadyTimeoutMs
  return { ...state, player: 'starting', deadlines: { ...noDeadlines, timeoutAtMs: nowMs + timeoutMs } }
}

const becomeReady = (state: VideoPlayerState, nowMs: number): VideoPlayerState => ({
  ...state,
  phase: 'ready',
  player: 'ready',
  problem: null,
  failedLoads: 0,
  recreations: 0,
  deadlines: { ...noDeadlines, settleAtMs: nowMs + limits.videoSettleMs },
})

/** Retries a failed load up to 3 times after 2 s times the attempt (4.23a). */
function failLoad(state: VideoPlayerState, reason: string, nowMs: number): VideoPlayerStep {
  if (state.videoId === null || state.player === 'ready') return withoutEffects(state)
  const failedLoads = state.failedLoads + 1
  if (failedLoads > limits.videoLoadRetries) return giveUp({ ...state, failedLoads })
  const failed: VideoPlayerState = {
    ...state,
    player: 'none',
    failedLoads,
    problem: { kind: 'load_failed', reason },
    deadlines: { ...noDeadlines, retryAtMs: nowMs + limits.videoRetryMs * failedLoads },
  }
  return { state: failed, effects: [{ type: 'remove' }] }
}

/** Re-creates a player that is not ready in time, up to 3 times (4.23a). */
function recreate(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  const recreations = state.recreations + 1
  if (recreations > limits.videoRecreations) return giveUp(state)
  return create({ ...state, recreations }, nowMs)
}

function giveUp(state: VideoPlayerState): VideoPlayerStep {
  return {
    state: {
      ...state,
      phase: 'error',
      player: 'none',
      problem: { kind: 'gave_up' },
      deadlines: noDeadlines,
    },
    effects: [{ type: 'remove' }],
  }
}

/** Codes that no reload heals end the video; all others, unknown ones too, reload it up to 3 times (4.23b). */
function failPlayback(state: VideoPlayerState, code: number, nowMs: number): VideoPlayerStep {
  const { videoId } = state
  if (videoId === null) return withoutEffects(state)
  const failed: VideoPlayerState = {
    ...state,
    phase: 'error',
    problem: { kind: 'code', code },
    deadlines: noDeadlines,
  }
  const reason = unplayableCodes.get(code)
  if (reason) return { state: failed, effects: [{ type: 'unplayable', videoId, reason }] }
  const failedPlays = state.failedPlays + 1
  if (code === missingReferrerCode || failedPlays > limits.videoLoadRetries) return withoutEffects(failed)
  const retryAtMs = nowMs + limits.videoRetryMs * failedPlays
  return withoutEffects({ ...failed, failedPlays, deadlines: { ...noDeadlines, retryAtMs } })
}

/** Creates the player anew, up to 3 times until the video plays. */
function replaceFrame(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  if (state.player === 'none') return withoutEffects(state)
  const failedPlays = state.failedPlays + 1
  const removed: VideoPlayerState = { ...state, player: 'none', failedPlays }
  return failedPlays > limits.videoLoadRetries ? giveUp(removed) : create(removed, nowMs)
}

function changePlace(state: VideoPlayerState, hasPlace: boolean, nowMs: number): VideoPlayerStep {
  const removed: VideoPlayerState = {
    ...state,
    hasPlace,
    phase: 'loading',
    player: 'none',
    problem: null,
    failedLoads: 0,
    recreations: 0,
    deadlines: noDeadlines,
  }
  const step = create(removed, nowMs)
  const remove: VideoPlayerEffect[] = state.player === 'none' ? [] : [{ type: 'remove' }]
  return { state: step.state, effects: [...remove, ...step.effects] }
}

function actOnDeadlines(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  const { timeoutAtMs, retryAtMs, settleAtMs } = state.deadlines
  if (isDue(timeoutAtMs, nowMs)) {
    return state.player === 'script'
      ? failLoad(state, scriptTimeoutReason, nowMs)
      : recreate({ ...state, player: 'none' }, nowMs)
  }
  if (isDue(retryAtMs, nowMs)) return state.player === 'ready' ? cueAgain(state, nowMs) : create(state, nowMs)
  if (!isDue(settleAtMs, nowMs)) return withoutEffects(state)
  return {
    state: { ...state, deadlines: { ...state.deadlines, settleAtMs: null } },
    effects: [{ type: 'settle' }],
  }
}

const scriptTimeoutReason = 'YouTube did not answer in time'

/** Keeps the count of errors, so that a video that never plays ends. */
function cueAgain(state: VideoPlayerState, nowMs: number): VideoPlayerStep {
  return cue({ ...state, problem: null }, nowMs)
}
