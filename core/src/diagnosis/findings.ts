/** The severity of a finding: no action needed, worth knowing, or to be fixed. */
export type Severity = 'ok' | 'notice' | 'problem'

const severities = {
  offline: 'problem',
  server_unreachable: 'problem',
  server_unhealthy: 'problem',
  realtime_refused: 'problem',
  http_unreachable: 'notice',
  long_polling: 'notice',
  high_latency: 'notice',
  cookies_off: 'problem',
  session_missing: 'problem',
  page_outdated: 'notice',
  clock_not_measured: 'problem',
  clock_uncertain: 'notice',
  probes_lost: 'notice',
  probes_jittery: 'notice',
  device_clock_off: 'ok',
  sound_blocked: 'problem',
  muted: 'notice',
  insecure_context: 'notice',
  no_decoder: 'notice',
  track_undecodable: 'problem',
  track_failed: 'problem',
  track_by_element: 'notice',
  output_latency_long: 'ok',
  output_latency_ignored: 'notice',
  output_latency_unknown: 'notice',
  tab_hidden: 'notice',
  sync_error_large: 'problem',
  sync_error_swinging: 'notice',
  buffering_often: 'problem',
} as const satisfies Record<string, Severity>

export type FindingCode = keyof typeof severities

export interface Finding {
  code: FindingCode
  severity: Severity
}

const order: readonly Severity[] = ['problem', 'notice', 'ok']

/** Returns the findings of these codes, sorted by severity. */
export function toFindings(codes: readonly FindingCode[]): Finding[] {
  return codes
    .map((code) => ({ code, severity: severities[code] }))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

/** Returns the codes whose condition is true, in order. */
export function pick(conditions: Partial<Record<FindingCode, boolean>>): FindingCode[] {
  const codes = Object.keys(conditions) as FindingCode[]
  return codes.filter((code) => conditions[code])
}
