import type { Logger } from 'pino'

/**
 * Fields that may name the sender, at the top of a payload or in the state it carries. `userId` names others, as who
 * is removed.
 */
const identityFields = ['user', 'user_id', 'p_user_id', 'sender_id', 'added_by', 'owner_id'] as const

/** Users whose mismatch is logged: enough to find a faulty client, and too few to fill the log. */
const loggedUsers = 100

/** Logs a payload that names another user than its session, once for each user. Identity is always the session's (7.3). */
export type MismatchLog = (payload: unknown, userId: string) => void

export function createMismatchLog(logger: Pick<Logger, 'info'>): MismatchLog {
  const logged = new Set<string>()
  return (payload, userId) => {
    if (logged.has(userId) || logged.size >= loggedUsers) return
    const claimed = [payload, readField(payload, 'state')].flatMap(listClaims)
    if (claimed.every((claim) => claim === userId)) return
    logged.add(userId)
    logger.info({ userId }, 'A client sent an id of another user; ignored, the session identifies it')
  }
}

function listClaims(value: unknown): string[] {
  return identityFields.flatMap((field) => {
    const claim = readField(value, field)
    const id = typeof claim === 'object' ? readField(claim, 'id') : claim
    return typeof id === 'string' ? [id] : []
  })
}

function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
