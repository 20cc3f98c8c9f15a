import type { FollowAction } from '../sync/follow/follow-state.ts'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '../sync/follow/player-state.ts'
import { createRandom } from './random.ts'

/** The behaviour of a simulated device. Times in ms. */
export interface FakePlayerOptions {
  capabilities: PlayerCapabilities
  loadMs: number
  /** Time from a call until the sound: of a stopped and of a playing player. 0 for a player that can schedule. */
  startLatencyMs: number
  seekLatencyMs: number
  /** Each latency varies by up to plus or minus this. */
  latencyJitterMs: number
  /** How much faster than the client's clock the device plays. */
  driftPpm: number
  /** Each reported position is off by up to plus or minus this. */
  noiseMs: number
  /** The reported position is rounded down to a multiple of this; 0 for no rounding. */
  stepMs: number
  /** Intervals on the client's clock in which it reports playing without advancing. */
  stalls: readonly { fromMs: number; untilMs: number }[]
  seed: number
}

export const capabilitiesOf = {
  library: { profile: 'library', canSchedule: true, rates: 'any', granularityMs: 0 },
  element: { profile: 'element', canSchedule: false, rates: 'any', granularityMs: 23 },
  fineVideo: { profile: 'video', canSchedule: false, rates: [0.5, 0.95, 1, 1.05, 2], granularityMs: 20 },
  coarseVideo: { profile: 'video', canSchedule: false, rates: [0.5, 1, 1.5, 2], granularityMs: 20 },
  streaming: { profile: 'streaming', canSchedule: false, rates: 'none', granularityMs: 30 },
} as const satisfies Record<string, PlayerCapabilities>

/** Typical values of real devices of each kind. */
export const deviceOptions: Record<keyof typeof capabilitiesOf, FakePlayerOptions> = {
  library: device('library', { startLatencyMs: 0, seekLatencyMs: 0, latencyJitterMs: 0, noiseMs: 0.1 }),
  element: device('element', { startLatencyMs: 85, seekLatencyMs: 60, latencyJitterMs: 12, noiseMs: 1 }),
  fineVideo: device('fineVideo', {
    startLatencyMs: 250,
    seekLatencyMs: 400,
    latencyJitterMs: 60,
    noiseMs: 10,
  }),
  coarseVideo: device('coarseVideo', {
    startLatencyMs: 250,
    seekLatencyMs: 400,
    latencyJitterMs: 60,
    noiseMs: 10,
  }),
  streaming: device('streaming', {
    startLatencyMs: 500,
    seekLatencyMs: 350,
    latencyJitterMs: 80,
    noiseMs: 15,
  }),
}

function device(
  kind: keyof typeof capabilitiesOf,
  rest: Pick<FakePlayerOptions, 'startLatencyMs' | 'seekLatencyMs' | 'latencyJitterMs' | 'noiseMs'>,
): FakePlayerOptions {
  return {
    capabilities: capabilitiesOf[kind],
    loadMs: 150,
    driftPpm: 0,
    stepMs: 0,
    stalls: [],
    seed: 1,
    ...rest,
  }
}

/** A player without sound. Each call takes the current instant on the client's clock, in ms. */
export interface FakePlayer {
  readonly capabilities: PlayerCapabilities
  readonly loadedTrackId: string | null
  /** Carries out an action of `follow`. */
  apply(action: FollowAction, nowMs: number): void
  /** Returns the reported position, which has noise; a stall looks like playing. */
  sample(nowMs: number): PositionSample | null
  /** Returns the true position of the sound, or null while silent. */
  soundingAt(nowMs: number): number | null
  /** Pauses the player from outside, as with a media key. */
  interrupt(nowMs: number): void
}

interface Line {
  status: PlayerStatus
  positionMs: number
  /** The status and the position apply from this instant; before it the action is still pending. */
  fromMs: number
  rate: number
}

export function createFakePlayer(options: FakePlayerOptions): FakePlayer {
  const random = createRandom(options.seed)
  const spread = (ms: number): number => (random() * 2 - 1) * ms
  let trackId: string | null = null
  let line: Line = { status: 'idle', positionMs: 0, fromMs: 0, rate: 1 }

  const movedMs = (nowMs: number): number => {
    const stalledMs = options.stalls.reduce((sum, { fromMs, untilMs }) => {
      return sum + Math.max(0, Math.min(untilMs, nowMs) - Math.max(fromMs, line.fromMs))
    }, 0)
    return Math.max(0, nowMs - line.fromMs - stalledMs) * line.rate * (1 + options.driftPpm / 1e6)
  }
  const positionAt = (nowMs: number): number =>
    line.positionMs + (line.status === 'playing' ? movedMs(nowMs) : 0)
  const isStalledAt = (nowMs: number): boolean =>
    options.stalls.some(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs)

  const start = (positionMs: number, atClientMs: number, nowMs: number, latencyMs: number): void => {
    const soundsAtMs = nowMs + Math.max(0, latencyMs + spread(options.latencyJitterMs))
    const fromMs = options.capabilities.canSchedule ? Math.max(nowMs, atClientMs) : soundsAtMs
    // A player that can schedule keeps its line even if the call comes too late.
    const lateMs = options.capabilities.canSchedule ? Math.max(0, nowMs - atClientMs) : 0
    line = { status: 'playing', positionMs: positionMs + lateMs, fromMs, rate: 1 }
  }

  return {
    capabilities: options.capabilities,
    get loadedTrackId() {
      return trackId
    },
    apply(action, nowMs) {
      switch (action.type) {
        case 'hold':
          return
        case 'load':
          trackId = action.trackId
          line = { status: 'ready', positionMs: action.positionMs, fromMs: nowMs + options.loadMs, rate: 1 }
          return
        case 'play':
          return start(action.positionMs, action.atClientMs, nowMs, options.startLatencyMs)
        case 'alignAt':
          return start(action.positionMs, action.atClientMs, nowMs, options.seekLatencyMs)
        case 'pause':
          line = { status: 'paused', positionMs: action.positionMs, fromMs: nowMs, rate: 1 }
          return
        case 'setRate':
          line = { ...line, positionMs: positionAt(nowMs), fromMs: Math.max(nowMs, line.fromMs) }
          if (isHonoured(action.rate, options.capabilities.rates)) line.rate = action.rate
          return
      }
    },
    sample(nowMs) {
      if (!trackId) return null
      const isPending = nowMs < line.fromMs
      const status = isPending ? pendingStatus(line.status, options.capabilities) : line.status
      const isMoving = line.status === 'playing' && !isPending && !isStalledAt(nowMs)
      const noiseMs = isMoving ? spread(options.noiseMs) : 0
      const positionMs = floorTo(options.stepMs, Math.max(0, positionAt(nowMs) + noiseMs))
      return { positionMs, atClientMs: nowMs, status }
    },
    soundingAt(nowMs) {
      const isSounding = line.status === 'playing' && nowMs >= line.fromMs && !isStalledAt(nowMs)
      return isSounding ? positionAt(nowMs) : null
    },
    interrupt(nowMs) {
      line = { status: 'paused', positionMs: positionAt(nowMs), fromMs: nowMs, rate: 1 }
    },
  }
}

function floorTo(stepMs: number, positionMs: number): number {
  return stepMs > 0 ? Math.floor(positionMs / stepMs) * stepMs : positionMs
}

function pendingStatus(to: PlayerStatus, { canSchedule }: PlayerCapabilities): PlayerStatus {
  if (to === 'ready') return 'loading'
  return canSchedule ? to : 'buffering'
}

function isHonoured(rate: number, rates: PlayerCapabilities['rates']): boolean {
  return rates === 'any' || (rates !== 'none' && rates.includes(rate))
}
