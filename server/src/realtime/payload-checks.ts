import { AppError } from '@earshot/core/protocol/errors'
import type { Logger } from 'pino'

/**
 * Refuses a payload that is too large. The estimate counts characters of names and texts and a few bytes per value, so
 * it never exceeds the size of the JSON. Iterative: the nesting depth is not limited yet.
 * @throws AppError payload_too_large
 */
export function checkPayloadSize(payload: unknown, maxBytes: number): void {
  const pending: object[] = []
  let bytes = 0
  const add = (value: unknown): void => {
    bytes += sizeOf(value)
    if (bytes > maxBytes) throw new AppError('payload_too_large')
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) pending.push(value)
  }
  add(payload)
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (Array.isArray(value)) {
      // Not by its entries, which would be an array for each value of a long list.
      for (const inner of value as unknown[]) add(inner)
      continue
    }
    for (const [name, inner] of Object.entries(value)) {
      bytes += name.length
      add(inner)
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return 2
}

/** Fields that may name a user, at the top of a payload or in the state it carries. */
const identityFields = ['user', 'userId', 'user_id', 'sender_id', 'added_by', 'owner_id'] as const

/** Logs (debug) a payload that names another user than its session. Identity is always the session's (7.3). */
export function logIdentityMismatch(logger: Logger, payload: unknown, userId: string): void {
  if (!logger.isLevelEnabled('debug')) return
  const claimed = [payload, readField(payload, 'state')].flatMap(listClaims)
  if (claimed.some((claim) => claim !== userId)) {
    logger.debug({ userId }, 'Event names another user; the session decides')
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
