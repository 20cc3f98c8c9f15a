import { AppError } from '@earshot/core/protocol/errors'

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
