/// <reference types="youtube" />

/** The messages between YouTube's script in the page and its frame: JSON texts, sent with `postMessage`. */

/** From the page to the frame. `id` is the number of the player in the page. */
export type ToFrame =
  | { event: 'listening'; id: number; channel: 'widget' }
  | { event: 'command'; func: string; args: unknown[]; id: number; channel: 'widget'; hasGesture: boolean }

/** From the frame to the page. Other events are those that `YT.Player` fires, with `info` as their data. */
export interface FromFrame {
  event: string
  id: number
  channel: 'widget'
  info: unknown
}

/** The values that the page's getters read: `getCurrentTime` reads `currentTime`, `isMuted` reads `muted`. */
export interface PlayerInfo {
  apiInterface?: readonly string[]
  playerState: number
  currentTime: number
  /** When `currentTime` was true, s since the epoch. */
  currentTimeLastUpdated_: number
  playbackRate: number
  availablePlaybackRates: number[]
  duration: number
  volume: number
  muted: boolean
  videoData: YT.VideoData
  videoUrl: string
  videoLoadedFraction: number
  playbackQuality: string
  availableQualityLevels: string[]
}

/** The names of the events that a page can listen to. */
export type PlayerEventName = keyof YT.Events

/** The methods that a player gets once its frame has answered. */
export const apiInterface = [
  ...(['cueVideoById', 'loadVideoById', 'playVideo', 'pauseVideo', 'stopVideo', 'seekTo'] as const),
  ...(['mute', 'unMute', 'isMuted', 'setVolume', 'getVolume', 'setPlaybackRate', 'getPlaybackRate'] as const),
  ...(['getAvailablePlaybackRates', 'getVideoLoadedFraction', 'getPlayerState', 'getCurrentTime'] as const),
  ...(['getDuration', 'getVideoUrl', 'getVideoData', 'getPlaybackQuality'] as const),
  ...(['getAvailableQualityLevels', 'setPlaybackQuality'] as const),
] satisfies (keyof YT.Player)[]
