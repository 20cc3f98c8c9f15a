import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextSealer, type TextSealer } from './text-sealer.ts'

const oldSecret = 'the first secret of this server, 32+ characters'
const newSecret = 'the second secret of this server, 32+ characters'

const makeSealer = (secret: string, previousSecrets: string[] = [], purpose = 'tokens'): TextSealer =>
  createTextSealer({ secret, previousSecrets, purpose })

describe('a text sealer', () => {
  it('3.6b opens what it sealed, whatever the text', () => {
    const sealer = makeSealer(oldSecret)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, owner) => {
        expect(sealer.open(sealer.seal(text, owner), owner)).toEqual({ text, isStale: false })
      }),
    )
  })

  it('3.6b hides the text, and seals it differently each time', () => {
    const sealer = makeSealer(oldSecret)
    const [first, second] = [sealer.seal('a token to hide', 'ann'), sealer.seal('a token to hide', 'ann')]
    expect(first).not.toBe(second)
    for (const part of first.split('.')) {
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain('token')
    }
  })

  it('3.6b opens a text for its owner and its purpose only', () => {
    const sealer = makeSealer(oldSecret)
    const sealed = sealer.seal('token', 'ann')
    expect(sealer.open(sealed, 'bob')).toBeNull()
    expect(makeSealer(oldSecret, [], 'keys').open(sealed, 'ann')).toBeNull()
    expect(makeSealer(newSecret).open(sealed, 'ann')).toBeNull()
  })

  it('3.6b refuses a text that was changed anywhere', () => {
    const sealer = makeSealer(oldSecret)
    const parts = sealer.seal('a longer token', 'ann').split('.')
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url')
      bytes[bytes.length - 1]! ^= 1
      const changed = parts.with(index, index === 0 ? 'v2' : bytes.toString('base64url')).join('.')
      expect(sealer.open(changed, 'ann')).toBeNull()
    }
    for (const broken of ['', 'v1', 'v1...', `${parts.join('.')}.x`, parts.slice(0, 3).join('.')]) {
      expect(sealer.open(broken, 'ann')).toBeNull()
    }
  })

  it('15.3 opens texts of previous secrets, and marks them to be sealed again', () => {
    const sealed = makeSealer(oldSecret).seal('token', 'ann')
    const rotated = makeSealer(newSecret, ['another secret of long ago, 32+ characters', oldSecret])
    expect(rotated.open(sealed, 'ann')).toEqual({ text: 'token', isStale: true })
    expect(rotated.open(rotated.seal('token', 'ann'), 'ann')).toEqual({ text: 'token', isStale: false })
    expect(makeSealer(oldSecret, [oldSecret]).open(sealed, 'ann')).toEqual({ text: 'token', isStale: false })
  })
})
