import { limits } from '../limits.ts'
import type { SoundFacts } from './facts.ts'
import { pick, type FindingCode } from './findings.ts'

/** What keeps this listener from hearing the room, or from hearing it at the very instant. */
export function judgeSound(sound: SoundFacts): FindingCode[] {
  const { isBlocked, isMuted, isSecure, hasDecoder, device } = sound
  const latencyMs = device?.output?.latencyMs ?? 0
  const isBelieved = latencyMs <= limits.plausibleOutputLatencyMs
  return pick({
    sound_blocked: isBlocked,
    muted: isMuted,
    insecure_context: !isSecure,
    no_decoder: isSecure && !hasDecoder,
    ...judgeTrack(sound),
    output_latency_long: latencyMs > limits.diagnosis.longOutputLatencyMs && isBelieved,
    output_latency_ignored: !isBelieved,
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
