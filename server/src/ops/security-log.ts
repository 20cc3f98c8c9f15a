import type { Logger } from 'pino'
import { addressKey } from '../limits/rate-limits.ts'

/** What happened. Filters such as fail2ban match these names: see docs/operating.md. */
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

export interface SecurityDetails {
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
  cut_off: 'Connection closed: too many events, packets or unanswered requests',
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

/** Never left out: each is the deed of an administrator or an owner. */
const alwaysLogged: ReadonlySet<SecurityEvent> = new Set(['admin_action', 'kicked', 'banned'])
/** A flood must not fill the disk: lines per event and address, and of all together, in a minute. */
const linesOfAddress = 20
const linesOfAll = 600
const windowMs = 60_000

export function createSecurityLog(logger: Logger): SecurityLog {
  const mayWrite = createLineLimit()
  return {
    record(event, details) {
      if (!alwaysLogged.has(event) && !mayWrite(event, details.address)) return
      logger.info({ security: event, ...details }, messages[event])
    },
  }
}

/** Counts in windows of a minute; synchronously, so that the lines keep their order. */
function createLineLimit(): (event: SecurityEvent, address: string | null) => boolean {
  const counts = new Map<string, number>()
  let total = 0
  let endsAtMs = 0
  return (event, address) => {
    const nowMs = performance.now()
    if (nowMs >= endsAtMs) {
      counts.clear()
      total = 0
      endsAtMs = nowMs + windowMs
    }
    const key = `${event} ${address === null ? '' : addressKey(address)}`
    const count = counts.get(key) ?? 0
    if (total >= linesOfAll || count >= linesOfAddress) return false
    total += 1
    counts.set(key, count + 1)
    return true
  }
}
