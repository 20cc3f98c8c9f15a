import type { ConnectionStatus, Transport } from '../machines/connection-state.ts'
import type { ErrorSummary } from '../sync/follow/error-history.ts'
import type { PlayerCapabilities, PlayerStatus } from '../sync/follow/player-state.ts'

/** What a page found out about itself and its surroundings. Times in ms; nothing in it tells who listens. */
export interface DiagnosisFacts {
  page: PageFacts
  connection: ConnectionFacts
  clock: ClockFacts
  sound: SoundFacts
  /** How the player followed the room over the last minutes. */
  sync: ErrorSummary
}

export interface PageFacts {
  session: 'signed_in' | 'signed_out' | 'unreadable'
  hasCookies: boolean
  isHidden: boolean
  /** Whether the server would serve the same page now; null where nobody knows. */
  isCurrent: boolean | null
}

export interface ConnectionFacts {
  status: ConnectionStatus
  /** The browser knows of a network. */
  isOnline: boolean
  /** The address of the realtime server in use, or to be tried. */
  server: string | null
  /** Null while there is no connection. */
  transport: Transport | null
  health: HealthFacts
}

export interface HealthFacts {
  /** What the server answers to a plain HTTP request: that it is well, that it is not, or nothing. */
  state: 'healthy' | 'unhealthy' | 'unreachable'
  latencyMs: number | null
  version: string | null
}

export interface ClockFacts {
  isUsable: boolean
  /** What is added to this page's clock to get the server's. */
  offsetMs: number
  /** The offset is off by no more than this. */
  uncertaintyMs: number
  skewPpm: number
  /** Probes that were sent for this diagnosis, and the round trips of those that were answered. */
  probesSent: number
  roundTripsMs: readonly number[]
  /** How far the device's own clock is ahead of the server's; null while that cannot be told. */
  deviceAheadMs: number | null
}

export interface SoundFacts {
  /** Served over https or from this very machine: only then browsers decode sound for a page. */
  isSecure: boolean
  hasDecoder: boolean
  isBlocked: boolean
  /** The listener turned it off. */
  isMuted: boolean
  /** What plays; null while nothing does. */
  device: DeviceFacts | null
  codecs: readonly CodecFacts[]
  /** Of the current track; null where there is none, or where its file could not be read. */
  track: CodecFacts | null
}

export interface DeviceFacts {
  capabilities: PlayerCapabilities
  status: PlayerStatus | null
  /** What the player said, with status `error`. */
  error: string | null
  /** Only of a player that sounds through an audio context. */
  output: OutputFacts | null
}

export interface OutputFacts {
  state: string
  sampleRate: number
  /** From the audio context until it is heard; null while the device has not said. */
  latencyMs: number | null
}

export interface CodecFacts {
  codec: string
  /** The page can decode and schedule it. */
  isDecodable: boolean
  /** The browser's own audio element can play it. */
  isPlayable: boolean
}
