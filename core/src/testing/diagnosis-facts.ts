import type { DeviceFacts, DiagnosisFacts } from '../diagnosis/facts.ts'
import { capabilitiesOf } from './fake-player.ts'

type Changes = { [Part in keyof DiagnosisFacts]?: Partial<DiagnosisFacts[Part]> }

/** Creates the facts of a listener without any problem, with changes. */
export function makeDiagnosisFacts(changes: Changes = {}): DiagnosisFacts {
  return {
    page: { session: 'signed_in', hasCookies: true, isHidden: false, isCurrent: true, ...changes.page },
    connection: {
      status: 'connected',
      isOnline: true,
      server: 'https://music.example',
      transport: 'websocket',
      health: { state: 'healthy', latencyMs: 12, version: '0.1.0' },
      ...changes.connection,
    },
    clock: {
      isUsable: true,
      offsetMs: -37,
      uncertaintyMs: 4,
      skewPpm: 3,
      probesSent: 10,
      roundTripsMs: [8, 9, 8, 11, 8, 9, 10, 8, 9, 12],
      deviceAheadMs: 40,
      ...changes.clock,
    },
    sound: {
      isSecure: true,
      hasDecoder: true,
      isBlocked: false,
      isMuted: false,
      device: makeDevice(),
      codecs: ['opus', 'mp3', 'aac', 'flac', 'pcm'].map((codec) => makeCodec(codec)),
      track: makeCodec('opus'),
      ...changes.sound,
    },
    sync: {
      sampleCount: 240,
      figureCount: 236,
      currentMs: -0.4,
      p50Ms: 0.3,
      p95Ms: 1.2,
      bufferingSpells: 1,
      bufferingShare: 0.01,
      hiddenShare: 0,
      ...changes.sync,
    },
  }
}

/** Creates the facts of a working device with this output latency, with changes. */
export const makeDevice = (
  changes: Partial<DeviceFacts> = {},
  latencyMs: number | null = 20,
): DeviceFacts => ({
  capabilities: capabilitiesOf.library,
  status: 'playing',
  error: null,
  output: { state: 'running', sampleRate: 48_000, latencyMs },
  ...changes,
})

export const makeCodec = (codec: string, isDecodable = true, isPlayable = true) => ({
  codec,
  isDecodable,
  isPlayable,
})
