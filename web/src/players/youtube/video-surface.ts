import type { VideoPhase, VideoProblem } from '@earshot/core/machines/video-player'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** Connects the visible video player with the page: the page offers a place, the player says how it is. */
interface VideoSurfaceState {
  /** The element that the player fills; null while the page draws none. */
  host: HTMLElement | null
  /** Null while there is no video player. */
  video: { phase: VideoPhase; problem: VideoProblem | null } | null
  /** Loads the video again, at the listener's request; null while there is no video player. */
  retry: (() => void) | null
}

export type VideoSurface = StoreApi<VideoSurfaceState>

export const createVideoSurface = (): VideoSurface =>
  createStore(() => ({ host: null, video: null, retry: null }))
