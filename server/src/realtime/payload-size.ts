import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'

/**
 * Refuses a payload that is too large or too deep before anything else looks at it: what comes after may recurse.
 * Counts characters of names and texts and a few bytes for each value, so the size is close to, and never above, that
 * of the JSON in which it came. Works through the values one by one, without recursion.
 * @throws AppError payload_too_large, or invalid_input where it is nested too deeply
 */
export function checkPayloadSize(payload: unknown, maxBytes: number): void {
  const pending: { value: unknown; depth: number }[] = [{ value: payload, depth: 0 }]
  let bytes = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next
    bytes += sizeOf(value)
    if (bytes > maxBytes) throw new AppError('payload_too_large')
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (depth >= limits.socketPayloadMaxDepth) throw new AppError('invalid_input', 'Nested too deeply')
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += name.length
      pending.push({ value: inner, depth: depth + 1 })
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return 2
}
