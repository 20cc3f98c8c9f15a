import { describe, expect, it } from 'vitest'
import { checkPayloadSize } from './gateway.ts'

describe('checkPayloadSize', () => {
  it('accepts an ordinary payload', () => {
    const payload = { roomId: 'r', state: { current_position: 1, nested: [{ a: null }] } }
    expect(() => checkPayloadSize(payload, 1_000)).not.toThrow()
    expect(() => checkPayloadSize(undefined, 1_000)).not.toThrow()
  })

  it('refuses payloads that are too large, in texts, names, values or bytes', () => {
    const large = [
      { text: 'x'.repeat(1_001) },
      { ['x'.repeat(1_001)]: 1 },
      Array.from({ length: 501 }, () => 0),
      Buffer.alloc(1_001),
    ]
    for (const payload of large) {
      expect(() => checkPayloadSize(payload, 1_000)).toThrow(
        expect.objectContaining({ code: 'payload_too_large' }),
      )
    }
  })

  it('does not overflow the stack on deep nesting', () => {
    let nested: unknown = 'core'
    for (let level = 0; level < 100_000; level++) nested = [nested]
    expect(() => checkPayloadSize(nested, 1_000_000)).not.toThrow()
  })
})
