import type { Logger } from 'pino'
import { addressKey } from '../address-key.ts'

/** The name of an event. Filters such as fail2ban match these names: see docs/operating.md. */
export type SecurityEvent =
  | 'sign_in_failed'
  | 'limit_reached'
  | 'cut_off'
  | 'origin_refused'
  | 'account_created'
  | 'sign_up_refused'
  | 'code_refused'
  | 'invite_refused'
  | 'not_admin'
  | 'admin_action'
  | 'metrics_refused'
  | 'kicked'
  | 'banned'

interface SecurityDetails {
  /** The client's address; null where no client is behind it. */
  address: string | null
  userId?: string
  /** Of an administrator. */
  action?: string
  /** The id of what the action changed. */
  target?: string
  /** The matched route, the event, or the room of a removal. */
  at?: string
  reason?: string
}

/** Logs what an operator must know about: one JSON line for each event, with the address and without secrets. */
export interface SecurityLog {
  record(event: SecurityEvent, details: SecurityDetails): void
}

const messages: Record<SecurityEvent, string> = {
  sign_in_failed: 'Sign-in failed: wrong email or password',
  limit_reached: 'Request refused: a rate limit is reached',
  cut_off: 'Connection closed: binary data, or too many events, packets or unanswered requests',
  origin_refused: 'Request of a page of another origin refused',
  account_created: 'Account created',
  sign_up_refused: 'Sign-up refused',
  code_refused: "Wrong administrator's code refused",
  invite_refused: 'Unknown or ended invite refused',
  not_admin: 'Administration refused to a user who is no administrator',
  admin_action: 'Administrator changed something',
  metrics_refused: 'Metrics refused: wrong token, or none from another machine',
  kicked: 'Member removed from a room',
  banned: 'Member banned from a room',
}

/** Removals of members: counted by owner, as each is a deed of one. What administrators do is never left out. */
const byOwner: ReadonlySet<SecurityEvent> = new Set(['kicked', 'banned'])
/** A flood must not fill the disk, nor hide events of another kind: lines in a minute. */
const linesOfAddress = 20
const linesOfOwner = 60
const linesOfEvent = 600
const windowMs = 60_000

export function createSecurityLog(logger: Logger): SecurityLog {
  const mayWrite = createLineLimit((leftOut) =>
    logger.warn(leftOut, 'Security log: lines of the last minute left out, by event'),
  )
  return {
    record(event, details) {
      if (event !== 'admin_action' && !mayWrite(event, details)) return
      logger.info({ security: event, ...details }, messages[event])
    },
  }
}

/**
 * Counts in windows of a minute; synchronously, so that the lines keep their order. What was left out is told with
 * the next event.
 */
function createLineLimit(tellLeftOut: (leftOut: Record<string, number>) => void) {
  const counts = new Map<string, number>()
  const leftOut = new Map<SecurityEvent, number>()
  let endsAtMs = 0
  const startWindow = (nowMs: number): void => {
    if (leftOut.size > 0) tellLeftOut(Object.fromEntries(leftOut))
    counts.clear()
    leftOut.clear()
    endsAtMs = nowMs + windowMs
  }
  return (event: SecurityEvent, { address, userId }: SecurityDetails): boolean => {
    const nowMs = performance.now()
    if (nowMs >= endsAtMs) startWindow(nowMs)
    const [source, most] = byOwner.has(event)
      ? [userId ?? '', linesOfOwner]
      : [address === null ? '' : addressKey(address), linesOfAddress]
    const key = `${event} ${source}`
    const [ofSource, ofEvent] = [counts.get(key) ?? 0, counts.get(event) ?? 0]
    if (ofSource >= most || ofEvent >= linesOfEvent) {
      leftOut.set(event, (leftOut.get(event) ?? 0) + 1)
      return false
    }
    counts.set(key, ofSource + 1)
    counts.set(event, ofEvent + 1)
    return true
  }
}
