import type { Logger } from 'pino'

/** Where an event may name somebody: at its top, or in the state that it carries. */
const identityFields = ['user', 'userId', 'user_id', 'sender_id', 'added_by', 'owner_id'] as const

/**
 * Identity is the session's, whatever an event says (7.3). One that says something else is worth a line when somebody
 * looks for a client that is wrong.
 */
export function logIdentityMismatch(logger: Logger, payload: unknown, userId: string): void {
  if (!logger.isLevelEnabled('debug')) return
  const claimed = [payload, readField(payload, 'state')].flatMap(listClaims)
  if (claimed.some((claim) => claim !== userId)) logger.debug({ userId }, 'an event names somebody else')
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
