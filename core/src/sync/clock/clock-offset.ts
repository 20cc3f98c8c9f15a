import { limits } from '../../limits.ts'
import { boundOffset } from './clock-bounds.ts'
import { fitSkewPpm, keepForSkew } from './clock-skew.ts'
import { steadyOffset } from './steady-offset.ts'

/**
 * The server's clock as a client knows it. All instants in ms: the client's on its monotonic wall clock, the server's
 * on the server's. The offset is what is added to the client's time to get the server's. After NTP's clock filter
 * (RFC 5905, section 10): four timestamps a probe. On a steady path the quick samples say the offset; on an unsteady one
 * it is where all samples of the window agree, and where they do not, the sample with the shortest round trip wins.
 */
export interface ClockState {
  /** The window, oldest first. */
  samples: readonly ClockSample[]
  /** The best sample of each stretch of the last minutes, for the skew. */
  history: readonly ClockSample[]
  /** The line that the latest estimate lies on, or null before the first sample. */
  line: ClockLine | null
  /** What is still to be slewed away: the offset that is told is the line's plus this, at `fromMs`. */
  residual: { ms: number; fromMs: number }
  /** Samples that are still missing since the start, or since a clock jumped: until then every change is a step. */
  missing: number
  isUsable: boolean
}

export interface ClockSample {
  /** The middle between sending and return. */
  atClientMs: number
  offsetMs: number
  rttMs: number
}

interface ClockLine extends ClockSample {
  skewPpm: number
}

/** One probe: when the client sent it, the server got and answered it, and the answer came back. */
export interface ClockProbe {
  sentAtMs: number
  serverReceivedAtMs: number
  serverSentAtMs: number
  returnedAtMs: number
}

export interface ClockEstimate {
  offsetMs: number
  rttMs: number
  /** How much faster the server's clock runs than the client's. */
  skewPpm: number
  /** The offset is off by no more than this: half the round trip, whatever its asymmetry. */
  uncertaintyMs: number
  isUsable: boolean
}

const nothingMeasured = { samples: [], history: [], line: null, missing: limits.probeUsableCount }

/** Nothing is known: at the start, and where another server answers from now on. */
export const initialClock: ClockState = {
  ...nothingMeasured,
  residual: { ms: 0, fromMs: 0 },
  isUsable: false,
}

/** How fast two clocks may drift apart without anybody having set one of them. NTP tolerates 15; hot machines do worse. */
const jumpTolerancePpm = 500
/** An older sample counts as if it had been this much slower: NTP's dispersion of 15 ppm. */
const agingPerMs = 15e-6

/** Takes in the answer to a probe. One that cannot be true, or is slow while better ones exist, changes nothing. */
export function addProbe(state: ClockState, probe: ClockProbe): ClockState {
  const sample = toSample(probe)
  if (!sample) return state
  const nowMs = probe.returnedAtMs
  const hasJumped = contradicts(state, sample)
  const before = hasJumped ? { ...state, ...nothingMeasured } : state
  const fresh = before.samples.filter((earlier) => nowMs - earlier.atClientMs <= limits.probeWindowMs)
  if (sample.rttMs > limits.probeMaxRttMs && fresh.some(({ rttMs }) => rttMs <= limits.probeMaxRttMs)) {
    return state
  }
  const samples = [...fresh, sample].slice(-limits.probeWindowCount)
  const history = keepForSkew(before.history, sample)
  const line = estimateLine(samples, history, nowMs)
  const missing = Math.max(0, before.missing - 1)
  const next = { ...before, samples, history, line, missing, isUsable: state.isUsable || missing === 0 }
  return { ...next, residual: residualTowards(state, next, nowMs) }
}

/** The server's time at an instant of the client's clock; without any sample, the client's. */
export function serverTimeAt(state: ClockState, clientMs: number): number {
  return clientMs + offsetAt(state, clientMs)
}

/** The instant of the client's clock at a server time: the inverse of `serverTimeAt`. */
export function clientTimeAt(state: ClockState, serverMs: number): number {
  let clientMs = serverMs - offsetAt(state, serverMs - (state.line?.offsetMs ?? 0))
  // The offset changes by 1 % of the time at most, so each round is a hundred times nearer.
  for (let round = 0; round < 4; round++) clientMs = serverMs - offsetAt(state, clientMs)
  return clientMs
}

export function estimateClock(state: ClockState, clientMs: number): ClockEstimate {
  const rttMs = state.line?.rttMs ?? 0
  return {
    offsetMs: offsetAt(state, clientMs),
    rttMs,
    skewPpm: state.line?.skewPpm ?? 0,
    uncertaintyMs: state.line ? rttMs / 2 + Math.abs(residualAt(state, clientMs)) : Infinity,
    isUsable: state.isUsable,
  }
}

function toSample(probe: ClockProbe): ClockSample | null {
  const { sentAtMs, serverReceivedAtMs, serverSentAtMs, returnedAtMs } = probe
  const rttMs = returnedAtMs - sentAtMs - (serverSentAtMs - serverReceivedAtMs)
  const offsetMs = (serverReceivedAtMs - sentAtMs + (serverSentAtMs - returnedAtMs)) / 2
  // Clocks are read in steps, so a round trip of nothing may come out just below zero.
  if (!Number.isFinite(offsetMs) || rttMs < -1 || returnedAtMs < sentAtMs) return null
  return { atClientMs: (sentAtMs + returnedAtMs) / 2, offsetMs, rttMs: Math.max(0, rttMs) }
}

/**
 * Whether a clock was set, or stood still in a sleep: the true offset lies within half a round trip of each sample, so
 * two that exclude each other cannot belong to the same clocks. A slow sample has to be further off than that, or
 * taking it would make matters worse: one that was under way when a clock was set bounds nothing.
 */
function contradicts({ line }: ClockState, sample: ClockSample): boolean {
  if (!line) return false
  const apartMs = Math.abs(sample.offsetMs - lineOffsetAt(line, sample.atClientMs))
  const driftMs = Math.abs(sample.atClientMs - line.atClientMs) * (jumpTolerancePpm / 1e6)
  return apartMs > Math.max(sample.rttMs, (sample.rttMs + line.rttMs) / 2) + driftMs + 1
}

function estimateLine(
  samples: readonly ClockSample[],
  history: readonly ClockSample[],
  nowMs: number,
): ClockLine | null {
  const distance = (sample: ClockSample): number =>
    sample.rttMs / 2 + (nowMs - sample.atClientMs) * agingPerMs
  const [first, ...rest] = samples
  if (!first) return null
  const best = rest.reduce(
    (nearest, sample) => (distance(sample) < distance(nearest) ? sample : nearest),
    first,
  )
  const skewPpm = fitSkewPpm(history)
  const offsetMs = steadyOffset(samples, skewPpm, nowMs) ?? boundOffset(samples, skewPpm, nowMs)
  return offsetMs === null
    ? { ...best, skewPpm }
    : { atClientMs: nowMs, offsetMs, rttMs: best.rttMs, skewPpm }
}

/** A change beyond the step goes through at once, and so does everything before there are enough samples. */
function residualTowards(before: ClockState, after: ClockState, nowMs: number): ClockState['residual'] {
  const ms = before.line && after.line ? offsetAt(before, nowMs) - lineOffsetAt(after.line, nowMs) : 0
  const steps = before.missing > 0 || after.missing > 0 || Math.abs(ms) > limits.clockStepMs
  return { ms: steps ? 0 : ms, fromMs: nowMs }
}

function offsetAt(state: ClockState, clientMs: number): number {
  if (!state.line) return 0
  return lineOffsetAt(state.line, clientMs) + residualAt(state, clientMs)
}

function lineOffsetAt(line: ClockLine, clientMs: number): number {
  return line.offsetMs + (clientMs - line.atClientMs) * (line.skewPpm / 1e6)
}

function residualAt({ residual }: ClockState, clientMs: number): number {
  const slewedMs = (Math.max(0, clientMs - residual.fromMs) / limits.clockSlewPerMs) * limits.clockSlewMs
  return Math.sign(residual.ms) * Math.max(0, Math.abs(residual.ms) - slewedMs)
}
