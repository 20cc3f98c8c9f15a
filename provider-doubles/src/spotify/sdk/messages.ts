/// <reference types="spotify-web-playback-sdk" />

/** How the player behaves. Ranges are in ms; each occasion draws from them by the device's seed. */
export interface SdkSettings {
  /** From the command to play until the sound starts. */
  startLatencyMs: [number, number]
  /** From a seek until the sound goes on at the new position. */
  seekLatencyMs: [number, number]
  /** From `resume` until the sound goes on. */
  resumeLatencyMs: [number, number]
  /** Whether the reported position runs while nothing sounds yet. It is right once the sound has started. */
  runsWhileBuffering: boolean
  /** Added to every reported position while sounding, ms. */
  positionErrorMs: number
  /** Whether every `player_state_changed` comes twice, 30 ms apart. */
  repeatsStateEvents: boolean
  /** Refuses to start with `autoplay_failed` until `activateElement` was called. */
  blocksAutoplay: boolean
}

/** Messages of the server to a device. */
export type DeviceEvent =
  | { type: 'play'; tracks: Spotify.Track[]; positionMs: number }
  | { type: 'seek'; positionMs: number }
  | { type: 'pause' | 'resume' | 'next' | 'previous' }
  /** Another device of the user plays now. */
  | { type: 'deactivate' }
  | { type: 'online' | 'offline' }
  | { type: 'token_expired' }
  | { type: 'error'; event: Spotify.ErrorTypes; message: string }
  | { type: 'settings'; settings: SdkSettings }

/** The answer to a device that registers. */
export type RegisterAnswer =
  | { deviceId: string; seed: number; settings: SdkSettings }
  | { event: Spotify.ErrorTypes; message: string }

/** The playback of a device, sent to the server with every change. */
export interface DeviceReport {
  paused: boolean
  positionMs: number
  trackId: string | null
}

/** The calls that the page forwards into the frame. */
export type PlayerMethod = Exclude<
  {
    [Name in keyof Spotify.Player]: Spotify.Player[Name] extends (...args: never) => unknown ? Name : never
  }[keyof Spotify.Player],
  'addListener' | 'on' | 'removeListener'
>

/** From the page to the frame. */
export type PageMessage =
  | { player: string; call: number; method: PlayerMethod; argument?: number | string }
  | { player: string; token: string }

/** From the frame to the page. */
export type FrameMessage =
  | { loaded: true }
  | { player: string; call: number; value: unknown }
  | { player: string; event: string; data: unknown }
  | { player: string; needsToken: true }
