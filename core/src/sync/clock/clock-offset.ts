import { limits } from '../../limits.ts'
import {
  type ClockSample,
  type OffsetEstimate,
  estimateOffset,
  fitSkewPpm,
  keepForSkew,
  wideningPerMs,
} from './sample-estimates.ts'

/**
 * A client's estimate of the server's clock, after NTP's clock filter (RFC 5905, section 10): four timestamps per
 * probe. On a steady path the offset is the median of the undelayed samples; on a jittery one the intersection of all
 * samples' bounds; where they do not intersect, the sample with the shortest round trip. Times in ms, the client's
 * on its monotonic wall clock.
 */
export interface ClockState {
  /** The samples of the last 40 s, at most 64, oldest first. */
  samples: readonly ClockSample[]
  /** The best sample of each 10 s of the last minutes, for the skew and as bounds. */
  history: readonly ClockSample[]
  /** The latest estimate, or null before the first sample. */
  line: ClockLine | null
  /** The part of the last change that remains to be slewed: the reported offset is the line's plus this, at `fromMs`. */
  residual: { ms: number; fromMs: number }
  /** Samples needed until changes are slewed; until then, after the start or a clock jump, every change is a step. */
  missing: number
  /** Earlier samples took another path; they only count until there are enough of this one. */
  pathSinceMs: number
  isUsable: boolean
  /** The estimate has become as good as more samples can make it, to 2 ms; stays true until a clock jump. */
  isSettled: boolean
  /** How often the client's clock was found to have been set, or stopped during sleep. */
  jumps: number
}

/** The estimate of the offset at an instant of the client's clock, with the best round trip. */
interface ClockLine extends ClockSample, OffsetEstimate {
  skewPpm: number
}

/** The four timestamps of a probe, in ms. */
interface ClockProbe {
  sentAtMs: number
  serverReceivedAtMs: number
  serverSentAtMs: number
  returnedAtMs: number
  /** The step of the client's clock where it is coarse: each of its times may be off by so much, either way. */
  stepMs?: number
}

export interface ClockEstimate {
  offsetMs: number
  rttMs: number
  /** How much faster the server's clock runs than the client's. */
  skewPpm: number
  /** The maximum error of the offset: its bound, looser with age, plus what remains to be slewed. */
  uncertaintyMs: number
  isUsable: boolean
}

const nothingMeasured = {
  samples: [],
  history: [],
  line: null,
  missing: limits.probeUsableCount,
  isSettled: false,
}

/** The state before any measurement, and after a change of server. */
export const initialClock: ClockState = {
  ...nothingMeasured,
  pathSinceMs: -Infinity,
  residual: { ms: 0, fromMs: 0 },
  isUsable: false,
  jumps: 0,
}

/** Faster drift than this counts as a clock that was set. NTP tolerates 15 ppm; overheated machines exceed it. */
const jumpTolerancePpm = 500
/** The error of a sample grows with its age: NTP's dispersion of 15 ppm. */
const agingPerMs = 15e-6

/** Adds the answer to a probe. Ignores impossible timestamps, and slow answers while the path has better ones. */
export function addProbe(state: ClockState, probe: ClockProbe): ClockState {
  const sample = toSample(probe)
  if (!sample) return state
  const nowMs = probe.returnedAtMs
  const hasJumped = isClockJump(state, sample)
  const before = hasJumped ? { ...state, ...nothingMeasured, jumps: state.jumps + 1 } : state
  const fresh = before.samples.filter((earlier) => nowMs - earlier.atClientMs <= limits.probeWindowMs)
  const ofPath = fresh.filter(({ atClientMs }) => atClientMs >= before.pathSinceMs)
  if (isSlow(sample, ofPath)) return state
  const isPathKnown = ofPath.length + 1 >= limits.probeUsableCount
  const samples = [...(isPathKnown ? ofPath : fresh), sample].slice(-limits.probeWindowCount)
  // A coarse clock does not tell its skew.
  const history = probe.stepMs ? before.history : keepForSkew(before.history, sample)
  const line = estimateLine({ ...before, samples, history }, nowMs)
  const missing = before.missing === 0 ? 0 : missingSamples(before.missing - 1, samples, line)
  const isUsable = state.isUsable || missing === 0
  const isSettled = before.isSettled || (missing === 0 && line.samplingErrorMs <= limits.clockSettledMs)
  const next = { ...before, samples, history, line, missing, isUsable, isSettled }
  return { ...next, residual: residualTowards(state, next, nowMs) }
}

/** Notes a new connection, which may take another path to the server: its delays replace those measured before. */
export function changePath(state: ClockState, nowMs: number): ClockState {
  return { ...state, pathSinceMs: nowMs }
}

/** Whether a round trip is far above the best one of its path, or above 500 ms while others are not. */
function isSlow({ rttMs }: ClockSample, ofPath: readonly ClockSample[]): boolean {
  const bestMs = Math.min(...ofPath.map((other) => other.rttMs))
  const isOverMax = rttMs > limits.probeMaxRttMs && bestMs <= limits.probeMaxRttMs
  return isOverMax || rttMs > limits.probeSlowFactor * bestMs + limits.probeSlowMs
}

/** Fewer are needed on a steady path. After a stall, when all bounds are far off, one more is needed each time. */
function missingSamples(missing: number, samples: readonly ClockSample[], line: ClockLine): number {
  const isSteady = line.samplingErrorMs <= limits.clockUnsteadyMs
  if (isSteady && samples.length >= limits.probeUsableSteadyCount) return 0
  return Math.max(line.samplingErrorMs <= limits.clockUsableMs ? 0 : 1, missing)
}

/** Converts client time to server time; the identity without any sample. */
export function serverTimeAt(state: ClockState, clientMs: number): number {
  return clientMs + offsetAt(state, clientMs)
}

/** Converts server time to client time: the inverse of `serverTimeAt`. */
export function clientTimeAt(state: ClockState, serverMs: number): number {
  let clientMs = serverMs - offsetAt(state, serverMs - (state.line?.offsetMs ?? 0))
  // The offset changes by at most 1 % of the time, so each iteration divides the error by 100.
  for (let round = 0; round < 4; round++) clientMs = serverMs - offsetAt(state, clientMs)
  return clientMs
}

/** Returns the estimate at a time of the client's clock: offset in ms, bounds, round trip and skew. */
export function estimateClock(state: ClockState, clientMs: number): ClockEstimate {
  const rttMs = state.line?.rttMs ?? 0
  return {
    offsetMs: offsetAt(state, clientMs),
    rttMs,
    skewPpm: state.line?.skewPpm ?? 0,
    uncertaintyMs: state.line
      ? boundAt(state.line, clientMs) + Math.abs(residualAt(state, clientMs))
      : Infinity,
    isUsable: state.isUsable,
  }
}

/** Returns by how much the reported offset is still to be slewed at a time of the client's clock, ms. */
export const slewLeftMs = (state: ClockState, clientMs: number): number =>
  Math.abs(residualAt(state, clientMs))

function toSample(probe: ClockProbe): ClockSample | null {
  const { sentAtMs, serverReceivedAtMs, serverSentAtMs, returnedAtMs, stepMs = 0 } = probe
  const rttMs = returnedAtMs - sentAtMs - (serverSentAtMs - serverReceivedAtMs) + 2 * stepMs
  const offsetMs = (serverReceivedAtMs - sentAtMs + (serverSentAtMs - returnedAtMs)) / 2
  // Clocks have limited resolution, so a very short round trip may come out just below zero.
  if (!Number.isFinite(offsetMs) || rttMs < -1 || returnedAtMs < sentAtMs) return null
  return { atClientMs: (sentAtMs + returnedAtMs) / 2, offsetMs, rttMs: Math.max(0, rttMs) }
}

/**
 * Detects that a clock was set, or stopped during sleep: the sample's bounds exclude the current estimate. A slow
 * sample must be further off than that: its bounds mean nothing if a clock was set during its round trip.
 */
function isClockJump({ line }: ClockState, sample: ClockSample): boolean {
  if (!line) return false
  const apartMs = Math.abs(sample.offsetMs - lineOffsetAt(line, sample.atClientMs))
  const driftMs = Math.abs(sample.atClientMs - line.atClientMs) * (jumpTolerancePpm / 1e6)
  return apartMs > Math.max(sample.rttMs, (sample.rttMs + line.rttMs) / 2) + driftMs + 1
}

/** @param state with at least one sample */
function estimateLine({ samples, history, pathSinceMs }: ClockState, nowMs: number): ClockLine {
  const distance = (sample: ClockSample): number =>
    sample.rttMs / 2 + (nowMs - sample.atClientMs) * agingPerMs
  const best = samples.reduce((nearest, sample) => (distance(sample) < distance(nearest) ? sample : nearest))
  const skewPpm = fitSkewPpm(history)
  const ofPath = history.filter(({ atClientMs }) => atClientMs >= pathSinceMs)
  const estimate = estimateOffset(samples, ofPath, skewPpm, nowMs)
  return estimate
    ? { ...estimate, atClientMs: nowMs, rttMs: best.rttMs, skewPpm }
    : { ...best, skewPpm, boundMs: best.rttMs / 2, samplingErrorMs: Infinity }
}

/** Applies changes above the step threshold at once, and all changes before there are enough samples. */
function residualTowards(before: ClockState, after: ClockState, nowMs: number): ClockState['residual'] {
  const ms = before.line && after.line ? offsetAt(before, nowMs) - lineOffsetAt(after.line, nowMs) : 0
  const steps = before.missing > 0 || after.missing > 0 || Math.abs(ms) > limits.clockStepMs
  return { ms: steps ? 0 : ms, fromMs: nowMs }
}

function offsetAt(state: ClockState, clientMs: number): number {
  if (!state.line) return 0
  return lineOffsetAt(state.line, clientMs) + residualAt(state, clientMs)
}

function boundAt({ boundMs, atClientMs }: ClockLine, clientMs: number): number {
  return boundMs + Math.max(0, clientMs - atClientMs) * wideningPerMs
}

function lineOffsetAt(line: ClockLine, clientMs: number): number {
  return line.offsetMs + (clientMs - line.atClientMs) * (line.skewPpm / 1e6)
}

function residualAt({ residual }: ClockState, clientMs: number): number {
  const slewedMs = (Math.max(0, clientMs - residual.fromMs) / limits.clockSlewPerMs) * limits.clockSlewMs
  return Math.sign(residual.ms) * Math.max(0, Math.abs(residual.ms) - slewedMs)
}
