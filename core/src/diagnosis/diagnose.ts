import { limits } from '../limits.ts'
import { correctionProfile } from '../sync/follow/correction-profiles.ts'
import { percentile } from '../statistics.ts'
import {
  type ClockFacts,
  type ConnectionFacts,
  type DiagnosisFacts,
  isLatencyUnknown,
  type PageFacts,
  type SoundFacts,
} from './facts.ts'
import { pick, toFindings, type Finding, type FindingCode } from './findings.ts'

const bounds = limits.diagnosis

/** Returns the problems and notices that the facts show, the most severe first; empty without any. */
export function diagnose(facts: DiagnosisFacts): Finding[] {
  const { page, connection, clock, sound } = facts
  return toFindings([
    ...judgeConnection(connection, clock),
    ...judgePage(page),
    // The clock can only be probed over a connection.
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
  const isBufferingLong = sampleCount >= bounds.minSamples && bufferingShare > bounds.bufferingShare
  return pick({
    tab_hidden: page.isHidden || hiddenShare > bounds.hiddenShare,
    sync_error_large: isLarge,
    sync_error_swinging: isSwinging && !isLarge,
    buffering_often: isBufferingLong || bufferingSpells >= bounds.bufferingSpells,
  })
}

/** Finds reasons why the sound is missing or late. */
function judgeSound(sound: SoundFacts): FindingCode[] {
  const { isBlocked, isMuted, isSecure, hasDecoder, device } = sound
  const latencyMs = device?.output?.latencyMs ?? 0
  const isPlausible = latencyMs <= limits.plausibleOutputLatencyMs
  return pick({
    sound_blocked: isBlocked,
    muted: isMuted,
    insecure_context: !isSecure,
    no_decoder: isSecure && !hasDecoder,
    ...judgeTrack(sound),
    output_latency_long: latencyMs > limits.diagnosis.longOutputLatencyMs && isPlausible,
    output_latency_ignored: !isPlausible,
    output_latency_unknown: isLatencyUnknown(device),
  })
}

function judgeTrack({ track, device, hasDecoder }: SoundFacts): Partial<Record<FindingCode, boolean>> {
  const hasFailed = device?.status === 'error'
  const isUndecodable = track !== null && !track.isDecodable && !track.isPlayable
  return {
    track_undecodable: isUndecodable,
    track_failed: hasFailed && !isUndecodable,
    track_by_element: hasDecoder && track !== null && !track.isDecodable && track.isPlayable,
  }
}
