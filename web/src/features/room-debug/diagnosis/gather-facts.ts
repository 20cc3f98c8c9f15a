import type {
  ClockFacts,
  ConnectionFacts,
  DiagnosisFacts,
  HealthFacts,
  PageFacts,
  SoundFacts,
} from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import { hasCode } from '@earshot/core/protocol/errors'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { summariseErrors } from '@earshot/core/sync/follow/error-history'
import { callApi } from '../../../api/call-api.ts'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import {
  canDecodeAndSchedule,
  findCodecSupport,
  readTrackCodec,
  type ServerClock,
} from '../../../engine/debug-access.ts'
import { delay } from '../../../timing.ts'
import { checkHealth, type HealthReport } from '../http-checks.ts'

/** The steps of a diagnosis, which run in parallel. */
export const diagnosisSteps = ['server', 'clock', 'sound', 'session'] as const
export type DiagnosisStep = (typeof diagnosisSteps)[number]

/** Gathers fresh facts within about 3 s; calls `onDone` after each step. Never rejects. */
export async function gatherFacts(
  room: RoomVisit,
  onDone: (step: DiagnosisStep) => void,
): Promise<DiagnosisFacts> {
  const track = async <Facts>(step: DiagnosisStep, facts: Promise<Facts>): Promise<Facts> => {
    const gathered = await facts
    onDone(step)
    return gathered
  }
  const [connection, clock, sound, page] = await Promise.all([
    track('server', readConnection(room)),
    track('clock', readClock(room)),
    track('sound', readSound(room)),
    track('session', readPage()),
  ])
  return { connection, clock, sound, page, sync: summariseErrors(room.errorHistory()) }
}

async function readConnection({ connection }: RoomVisit): Promise<ConnectionFacts> {
  const { servers, serverIndex } = connection.state()
  const server = servers[serverIndex] ?? null
  const report = server === null ? null : await withTimeout(() => checkHealth(server), null)
  const { status } = connection.state()
  const health = toHealthFacts(report)
  return { status, isOnline: navigator.onLine, server, transport: connection.transport(), health }
}

async function readClock({ connection, clock }: RoomVisit): Promise<ClockFacts> {
  const timeout = AbortSignal.timeout(limits.diagnosis.stepTimeoutMs)
  const nothing = { probesSent: 0, roundTripsMs: [] }
  const probes = connection.isConnected() ? await probeClock(clock, timeout) : nothing
  const { isUsable, offsetMs, uncertaintyMs, skewPpm } = clock.estimate()
  const deviceAheadMs = isUsable ? Date.now() - clock.serverNow() : null
  return { isUsable, offsetMs, uncertaintyMs, skewPpm, deviceAheadMs, ...probes }
}

async function readSound({ player, store }: RoomVisit): Promise<SoundFacts> {
  const { track: currentTrack } = store.getState().confirmed
  const readCodec = async (signal: AbortSignal) =>
    currentTrack?.source === 'library' ? readTrackCodec(trackAudioPath(currentTrack.id), signal) : null
  const [codecs, track] = await Promise.all([withTimeout(findCodecSupport, []), withTimeout(readCodec, null)])
  const { isSoundBlocked, isMuted, volume } = store.getState()
  return {
    isSecure: window.isSecureContext,
    hasDecoder: canDecodeAndSchedule(),
    isBlocked: isSoundBlocked,
    isMuted: isMuted || volume === 0,
    device: player.device(),
    codecs,
    track,
  }
}

async function readPage(): Promise<DiagnosisFacts['page']> {
  const [session, isCurrent] = await Promise.all([
    withTimeout(checkSession, 'unreadable'),
    withTimeout(checkPageVersion, null),
  ])
  return { session, hasCookies: navigator.cookieEnabled, isHidden: document.hidden, isCurrent }
}

/** Runs a check; resolves with the fallback if it fails or exceeds the step timeout. */
async function withTimeout<Result>(
  check: (signal: AbortSignal) => Promise<Result>,
  fallback: Result,
): Promise<Result> {
  const timeout = AbortSignal.timeout(limits.diagnosis.stepTimeoutMs)
  const timedOut = new Promise<Result>((resolve) => {
    timeout.addEventListener('abort', () => resolve(fallback), { once: true })
  })
  return Promise.race([check(timeout).catch(() => fallback), timedOut])
}

/**
 * Sends probes over the existing connection, `probeGapMs` apart. Probes without an answer when the signal aborts count
 * as lost.
 */
export async function probeClock(
  clock: Pick<ServerClock, 'probe'>,
  timeout: AbortSignal,
): Promise<Pick<ClockFacts, 'probesSent' | 'roundTripsMs'>> {
  const { probeCount, probeGapMs } = limits.diagnosis
  const roundTripsMs: number[] = []
  const probe = async () => {
    const rttMs = await clock.probe()
    if (rttMs !== null) roundTripsMs.push(Math.max(0, rttMs))
  }
  const answers: Promise<void>[] = []
  while (answers.length < probeCount) {
    answers.push(probe())
    await delay(probeGapMs)
  }
  const end = new Promise((resolve) => timeout.addEventListener('abort', resolve, { once: true }))
  await Promise.race([Promise.all(answers), end])
  return { probesSent: answers.length, roundTripsMs: [...roundTripsMs] }
}

/** Converts the answer of a health check to facts; null is no answer. */
export function toHealthFacts(report: HealthReport | null): HealthFacts {
  if (!report) return { state: 'unreachable', latencyMs: null, version: null }
  const { status, latencyMs, body } = report
  return { state: status === 200 ? 'healthy' : 'unhealthy', latencyMs, version: readVersion(body) }
}

function readVersion(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('version' in answer)) return null
  return typeof answer.version === 'string' ? answer.version : null
}

/** Asks the server whether the user is signed in. Rejects without an answer. */
export async function checkSession(signal: AbortSignal): Promise<PageFacts['session']> {
  try {
    await callApi('GET /api/profile', {}, { signal })
    return 'signed_in'
  } catch (error) {
    if (hasCode(error, 'unauthenticated')) return 'signed_out'
    throw error
  }
}

/** Whether the open page is the version that the server serves: each version's script has another name. Null if unknown. */
async function checkPageVersion(signal: AbortSignal): Promise<boolean | null> {
  const response = await fetch(window.location.origin, { cache: 'no-store', signal })
  const served = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [ownScript, servedScript] = [findScript(document), findScript(served)]
  return ownScript === null || servedScript === null ? null : ownScript === servedScript
}

const findScript = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null
