import { limits } from '../limits.ts'
import { correctionProfile } from '../sync/follow/correction-profiles.ts'
import { percentile } from '../statistics.ts'
import type { ClockFacts, ConnectionFacts, DiagnosisFacts, PageFacts } from './facts.ts'
import { pick, toFindings, type Finding, type FindingCode } from './findings.ts'
import { judgeSound } from './sound-findings.ts'

const bounds = limits.diagnosis

/** What is wrong, or worth knowing, the worst first; empty where everything is as it should be. */
export function diagnose(facts: DiagnosisFacts): Finding[] {
  const { page, connection, clock, sound } = facts
  return toFindings([
    ...judgeConnection(connection, clock),
    ...judgePage(page),
    // Without a connection there is nothing to probe the clock over.
    ...(connection.status === 'connected' ? judgeClock(clock) : []),
    ...judgeSound(sound),
    ...judgeSync(facts),
  ])
}

function judgeConnection(connection: ConnectionFacts, { roundTripsMs }: ClockFacts): FindingCode[] {
  const { status, isOnline, transport, health } = connection
  if (!isOnline) return ['offline']
  if (status !== 'connected') {
    if (health.state === 'unreachable') return ['server_unreachable']
    return [health.state === 'healthy' ? 'realtime_refused' : 'server_unhealthy']
  }
  const latencyMs = percentile(roundTripsMs, 0.5) ?? 0
  return pick({
    server_unhealthy: health.state === 'unhealthy',
    http_unreachable: health.state === 'unreachable',
    long_polling: transport === 'polling',
    high_latency: latencyMs > limits.poorLatencyMs,
  })
}

function judgePage({ session, hasCookies, isCurrent }: PageFacts): FindingCode[] {
  return pick({
    cookies_off: !hasCookies,
    session_missing: hasCookies && session === 'signed_out',
    page_outdated: isCurrent === false,
  })
}

function judgeClock(clock: ClockFacts): FindingCode[] {
  const { isUsable, uncertaintyMs, probesSent, roundTripsMs, deviceAheadMs } = clock
  const fastestMs = Math.min(...roundTripsMs)
  const slowMs = percentile(roundTripsMs, 0.9) ?? fastestMs
  return pick({
    clock_not_measured: !isUsable,
    clock_uncertain: isUsable && uncertaintyMs > bounds.clockUncertaintyMs,
    probes_lost: probesSent - roundTripsMs.length >= bounds.lostProbes,
    probes_jittery: slowMs - fastestMs > bounds.jitterMs,
    device_clock_off: deviceAheadMs !== null && Math.abs(deviceAheadMs) > bounds.deviceClockMs,
  })
}

function judgeSync({ page, sound, sync }: DiagnosisFacts): FindingCode[] {
  const { sampleCount, figureCount, p50Ms, p95Ms, bufferingSpells, bufferingShare, hiddenShare } = sync
  const inSyncMs = sound.device ? correctionProfile(sound.device.capabilities).inSyncMs : Infinity
  const hasFigures = figureCount >= bounds.minSamples
  const isLarge = hasFigures && (p50Ms ?? 0) > inSyncMs
  const isSwinging = hasFigures && (p95Ms ?? 0) > inSyncMs * bounds.swingFactor
  const waitedLong = sampleCount >= bounds.minSamples && bufferingShare > bounds.bufferingShare
  return pick({
    tab_hidden: page.isHidden || hiddenShare > bounds.hiddenShare,
    sync_error_large: isLarge,
    sync_error_swinging: isSwinging && !isLarge,
    buffering_often: waitedLong || bufferingSpells >= bounds.bufferingSpells,
  })
}
