import type { ClockFacts, ConnectionFacts, DiagnosisFacts, SoundFacts } from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import { trackAudioPath } from '@earshot/core/protocol/http-api'
import { summariseErrors } from '@earshot/core/sync/follow/error-history'
import { canDecodeAndSchedule } from '../../../players/choose-player.ts'
import { findCodecSupport, readTrackCodec } from '../../../players/codec-support.ts'
import type { LiveRoom } from '../../../engine/room-runtime.ts'
import { checkHealth } from '../http-checks.ts'
import { probeClock } from './clock-check.ts'
import { checkPage, checkSession, toHealthFacts } from './server-check.ts'
import { withinTime } from './within-time.ts'

/** What a diagnosis looks at, side by side. */
export const diagnosisSteps = ['server', 'clock', 'sound', 'session'] as const
export type DiagnosisStep = (typeof diagnosisSteps)[number]

/** Looks at everything anew, within about 3 s; tells of each step when it is done. Never rejects. */
export async function gatherFacts(
  live: LiveRoom,
  onDone: (step: DiagnosisStep) => void,
): Promise<DiagnosisFacts> {
  const tell = async <Found>(step: DiagnosisStep, look: Promise<Found>): Promise<Found> => {
    const found = await look
    onDone(step)
    return found
  }
  const [connection, clock, sound, page] = await Promise.all([
    tell('server', lookAtConnection(live)),
    tell('clock', lookAtClock(live)),
    tell('sound', lookAtSound(live)),
    tell('session', lookAtPage()),
  ])
  return { connection, clock, sound, page, sync: summariseErrors(live.errorHistory()) }
}

async function lookAtConnection({ connection }: LiveRoom): Promise<ConnectionFacts> {
  const { servers, serverIndex } = connection.state()
  const server = servers[serverIndex] ?? null
  const report = server === null ? null : await withinTime(() => checkHealth(server), null)
  const { status } = connection.state()
  const health = toHealthFacts(report)
  return { status, isOnline: navigator.onLine, server, transport: connection.transport(), health }
}

async function lookAtClock({ connection, clock }: LiveRoom): Promise<ClockFacts> {
  const timeIsUp = AbortSignal.timeout(limits.diagnosis.stepTimeoutMs)
  const nothing = { probesSent: 0, roundTripsMs: [] }
  const probes = connection.isConnected() ? await probeClock(clock, timeIsUp) : nothing
  const { isUsable, offsetMs, uncertaintyMs, skewPpm } = clock.estimate()
  const deviceAheadMs = isUsable ? Date.now() - clock.serverNow() : null
  return { isUsable, offsetMs, uncertaintyMs, skewPpm, deviceAheadMs, ...probes }
}

async function lookAtSound({ player, link }: LiveRoom): Promise<SoundFacts> {
  const { track: playing } = link.store.getState()
  const readCodec = async (signal: AbortSignal) =>
    playing?.source === 'library' ? readTrackCodec(trackAudioPath(playing.id), signal) : null
  const [codecs, track] = await Promise.all([withinTime(findCodecSupport, []), withinTime(readCodec, null)])
  const { isSoundBlocked, isMuted, volume } = link.store.getState()
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

async function lookAtPage(): Promise<DiagnosisFacts['page']> {
  const [session, isCurrent] = await Promise.all([
    withinTime(checkSession, 'unreadable'),
    withinTime(checkPage, null),
  ])
  return { session, hasCookies: navigator.cookieEnabled, isHidden: document.hidden, isCurrent }
}
