/** Since when probes on a connection have no answer, on the client's clock in ms; null while they are answered. */
export type Silence = number | null

/**
 * Longer than a busy machine blocks a page. The first probe without an answer was waited for already; with the next
 * ones, a connection that is there in name only is found out after about 10 s.
 */
const silentAfterMs = 5_000

/** After a probe: `rttMs` is null where no answer came in time. */
export function noteProbe(silence: Silence, rttMs: number | null, nowMs: number): Silence {
  return rttMs === null ? (silence ?? nowMs) : null
}

/** Whether nothing comes through any more: the network lost the connection, and told neither end. */
export function isSilent(silence: Silence, nowMs: number): boolean {
  return silence !== null && nowMs - silence >= silentAfterMs
}
