import { describe, expect, it } from 'vitest'
import { hashRoomPassword, verifyRoomPassword } from './room-access.ts'

describe('passwords of private rooms', () => {
  it('3.1c a password is stored as a salted hash', async () => {
    const [first, second] = await Promise.all([
      hashRoomPassword('open sesame'),
      hashRoomPassword('open sesame'),
    ])
    expect(first).not.toBe(second)
    expect(first).not.toContain('sesame')
  })

  it('accepts the correct password, also with surrounding blanks, and no other', async () => {
    const stored = await hashRoomPassword('open sesame')
    expect(await verifyRoomPassword('open sesame', stored)).toBe(true)
    expect(await verifyRoomPassword('  open sesame ', stored)).toBe(true)
    expect(await verifyRoomPassword('Open sesame', stored)).toBe(false)
    expect(await verifyRoomPassword('', stored)).toBe(false)
  })

  it('treats differently composed accents as equal', async () => {
    const stored = await hashRoomPassword('café')
    expect(await verifyRoomPassword('cafe\u0301', stored)).toBe(true)
  })

  it('rejects every password where the stored value is not a hash', async () => {
    expect(await verifyRoomPassword('', '')).toBe(false)
    expect(await verifyRoomPassword('x', 'x')).toBe(false)
  })
})
