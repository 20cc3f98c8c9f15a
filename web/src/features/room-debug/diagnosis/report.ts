import type {
  ClockFacts,
  CodecFacts,
  ConnectionFacts,
  DiagnosisFacts,
  PageFacts,
  SoundFacts,
} from '@earshot/core/diagnosis/facts'
import type { Finding } from '@earshot/core/diagnosis/findings'
import { percentile } from '@earshot/core/statistics'
import { diagnosis as texts } from '../../../texts/diagnosis.ts'
import { parseUrl } from '../../../ui/page/parse-url.ts'

/** The contents of a report besides the diagnosis. */
interface ReportContext {
  roomId: string
  userAgent: string
  /** Ms since 1970. */
  takenAtMs: number
}

/** Writes the diagnosis as plain text without private data (2.37d). */
export function writeReport(
  facts: DiagnosisFacts,
  findings: readonly Finding[],
  { roomId, userAgent, takenAtMs }: ReportContext,
): string {
  const found = findings.map(({ code, severity }) => {
    const { title, text } = texts.findingTexts[code]
    return texts.finding(texts.severities[severity], title, text)
  })
  return [
    texts.reportTitle(new Date(takenAtMs).toISOString()),
    `${texts.room}: ${redact(roomId)}`,
    '',
    ...(found.length > 0 ? found : [texts.allGood]),
    '',
    ...describeFacts(facts).map(({ label, value }) => `${label}: ${value}`),
    `${texts.browser}: ${redact(userAgent)}`,
  ].join('\n')
}

/** A fact as text. */
interface DescribedFact {
  label: string
  value: string
}

type Rows = Record<string, string | null>

/** Describes the facts for the page and the report, without private data and unknown values. */
export function describeFacts({ connection, clock, sound, page, sync }: DiagnosisFacts): DescribedFact[] {
  const { p50Ms, p95Ms, bufferingSpells } = sync
  const hasFigures = p50Ms !== null && p95Ms !== null
  const rows: Rows = {
    ...describeConnection(connection),
    ...describeClock(clock),
    [texts.sync]: hasFigures ? texts.syncText(texts.ms(p50Ms), texts.ms(p95Ms)) : null,
    [texts.buffering]: bufferingSpells > 0 ? texts.bufferingText(bufferingSpells) : null,
    ...describeSound(sound),
    ...describePage(page),
    [texts.context]: sound.isSecure ? texts.contextSecure : texts.contextInsecure,
  }
  return Object.entries(rows).flatMap(([label, value]) =>
    value === null ? [] : [{ label, value: redact(value) }],
  )
}

function describeConnection({ server, status, transport, health }: ConnectionFacts): Rows {
  const how = transport === null ? [] : [texts.transports[transport]]
  return {
    [texts.server]: server ?? texts.none,
    [texts.health]: texts.healthStates[health.state](texts.ms(health.latencyMs ?? 0)),
    [texts.version]: health.version,
    [texts.connection]: [texts.connectionStates[status], ...how].join(', '),
  }
}

function describeClock(clock: ClockFacts): Rows {
  const { isUsable, offsetMs, uncertaintyMs, skewPpm, probesSent, roundTripsMs, deviceAheadMs } = clock
  const [fastest, middle, slowest] = [0, 0.5, 1].map((share) =>
    texts.ms(percentile(roundTripsMs, share) ?? 0),
  )
  const hasAnswers = roundTripsMs.length > 0
  return {
    [texts.latency]: hasAnswers ? texts.latencyText(middle ?? '', fastest ?? '', slowest ?? '') : null,
    [texts.probes]: probesSent > 0 ? texts.probesText(roundTripsMs.length, probesSent) : null,
    [texts.clock]: isUsable
      ? texts.clockText(texts.ms(offsetMs), texts.ms(uncertaintyMs))
      : texts.clockMissing,
    [texts.skew]: isUsable ? texts.skewText(skewPpm) : null,
    [texts.deviceClock]: deviceAheadMs === null ? null : texts.deviceClockText(deviceAheadMs),
  }
}

function describeSound({ isBlocked, isMuted, device, codecs, track }: SoundFacts): Rows {
  const output = device?.output ?? null
  const latencyMs = output?.latencyMs ?? null
  const allowed = isMuted ? texts.autoplayMuted : texts.autoplayAllowed
  return {
    [texts.autoplay]: isBlocked ? texts.autoplayBlocked : allowed,
    [texts.player]: device ? texts.players[device.capabilities.profile] : texts.none,
    [texts.playerError]: device?.error ?? null,
    [texts.output]: output && texts.outputText(output.state, output.sampleRate),
    [texts.outputLatency]: latencyMs === null ? output && texts.unknown : texts.ms(latencyMs),
    [texts.trackFormat]: track && describeCodec(track),
    [texts.formats]: codecs.length > 0 ? codecs.map(describeCodec).join(', ') : null,
  }
}

function describeCodec({ codec, isDecodable, isPlayable }: CodecFacts): string {
  if (isDecodable) return codec
  return isPlayable ? texts.formatPlayed(codec) : texts.formatMissing(codec)
}

function describePage({ session, hasCookies, isCurrent }: PageFacts): Rows {
  return {
    [texts.session]: texts.sessions[session],
    [texts.cookies]: hasCookies ? texts.cookiesOn : texts.cookiesOff,
    [texts.page]: isCurrent === null ? null : isCurrent ? texts.pageCurrent : texts.pageOutdated,
  }
}

const address = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi
const query = /[?#][^\s"'<>]*[=&][^\s"'<>]*/g
const email = /[^\s@"'<>:/]+@[^\s@"'<>]+\.[^\s@"'<>]+/g
const named =
  /\b((?:set-)?cookie|authorization|bearer|password|passwd|secret|(?:[a-z]+[_-])?token|(?:api|client)[_-]?key|session(?:[_-]?id)?|user[_-]?id)\b(["']?\s*[:=]\s*|\s+(?=[\w+/=.-]{16}))("[^"]*"|'[^']*'|[^\n]*)/gi

/**
 * Removes private data from a text: everything but host and path of addresses, e-mail addresses, and the values of
 * cookies, tokens, passwords, keys and user ids.
 */
export function redact(text: string): string {
  return text
    .replace(address, toPublicAddress)
    .replace(query, '')
    .replace(email, '[e-mail]')
    .replace(named, (_match, name: string) => `${name}: [removed]`)
}

function toPublicAddress(text: string): string {
  const url = parseUrl(text)
  if (!url) return '[address]'
  const { protocol, host, pathname } = url
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
