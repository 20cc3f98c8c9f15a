import type { ConnectionStatus, Transport } from '../machines/connection.ts'
import type { ErrorSummary } from '../sync/follow/error-history.ts'
import type { PlayerCapabilities, PlayerStatus } from '../sync/follow/player-state.ts'

/** The measurements that the diagnosis is based on. Times in ms; contains no personal data. */
export interface DiagnosisFacts {
  page: PageFacts
  connection: ConnectionFacts
  clock: ClockFacts
  sound: SoundFacts
  /** The sync error of the player over the last minutes. */
  sync: ErrorSummary
}

export interface PageFacts {
  session: 'signed_in' | 'signed_out' | 'unreadable'
  hasCookies: boolean
  isHidden: boolean
  /** Whether the page is the version that the server serves now; null if unknown. */
  isCurrent: boolean | null
}

export interface ConnectionFacts {
  status: ConnectionStatus
  /** As reported by the browser. */
  isOnline: boolean
  /** The address of the realtime server in use, or tried next. */
  server: string | null
  /** Null while there is no connection. */
  transport: Transport | null
  health: HealthFacts
}

export interface HealthFacts {
  /** The result of an HTTP health check. */
  state: 'healthy' | 'unhealthy' | 'unreachable'
  latencyMs: number | null
  version: string | null
}

export interface ClockFacts {
  isUsable: boolean
  /** Server time minus page time. */
  offsetMs: number
  /** The maximum error of the offset. */
  uncertaintyMs: number
  skewPpm: number
  /** Probes sent for this diagnosis, and the round trips of the answered ones. */
  probesSent: number
  roundTripsMs: readonly number[]
  /** How far the device's clock is ahead of the server's; null if unknown. */
  deviceAheadMs: number | null
}

export interface SoundFacts {
  /** Served over https or from localhost, which browsers require for decoding sound. */
  isSecure: boolean
  hasDecoder: boolean
  isBlocked: boolean
  /** Muted by the listener. */
  isMuted: boolean
  /** The player in use; null while nothing plays. */
  device: DeviceFacts | null
  codecs: readonly CodecFacts[]
  /** Of the current track; null without one, or if its file could not be read. */
  track: CodecFacts | null
}

export interface DeviceFacts {
  capabilities: PlayerCapabilities
  status: PlayerStatus | null
  /** The player's error message, with status `error`. */
  error: string | null
  /** Only of a player with an audio context. */
  output: OutputFacts | null
}

export interface OutputFacts {
  state: string
  sampleRate: number
  /** Output latency of the audio context; null until it is read, and where the browser does not state it. */
  latencyMs: number | null
}

/** Whether a listener's sound is late by an unknown time: what the browser does not state cannot be compensated. */
export const isLatencyUnknown = (device: DeviceFacts | null): boolean =>
  device?.status === 'playing' && device.output?.latencyMs === null

export interface CodecFacts {
  codec: string
  /** The page can decode and schedule it. */
  isDecodable: boolean
  /** The browser's own audio element can play it. */
  isPlayable: boolean
}
