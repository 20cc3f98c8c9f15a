import { AppError } from '@earshot/core/protocol/errors'

/**
 * Refuses a payload that is too large. Counts characters of names and texts and a few bytes for each value, so the
 * size is close to, and never above, that of the JSON in which it came. Works through the values one by one, without
 * recursion: how deep they are nested is not known yet.
 * @throws AppError payload_too_large
 */
export function checkPayloadSize(payload: unknown, maxBytes: number): void {
  const pending: unknown[] = [payload]
  let bytes = 0
  while (pending.length > 0) {
    const value = pending.pop()
    bytes += sizeOf(value)
    if (bytes > maxBytes) throw new AppError('payload_too_large')
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += name.length
      pending.push(inner)
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return 2
}
