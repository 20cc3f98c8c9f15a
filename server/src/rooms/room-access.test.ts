import { describe, expect, it } from 'vitest'
import { hashRoomPassword, verifyRoomPassword } from './room-password.ts'

describe('passwords of private rooms', () => {
  it('3.1c a password is stored as a salted hash, from which it cannot be read', async () => {
    const [first, second] = await Promise.all([
      hashRoomPassword('open sesame'),
      hashRoomPassword('open sesame'),
    ])
    expect(first).not.toBe(second)
    expect(first).not.toContain('sesame')
  })

  it('accepts the right password, with the blanks around it that the form trims, and no other', async () => {
    const stored = await hashRoomPassword('open sesame')
    expect(await verifyRoomPassword('open sesame', stored)).toBe(true)
    expect(await verifyRoomPassword('  open sesame ', stored)).toBe(true)
    expect(await verifyRoomPassword('Open sesame', stored)).toBe(false)
    expect(await verifyRoomPassword('', stored)).toBe(false)
  })

  it('takes an accent that was composed on another keyboard for the same', async () => {
    const stored = await hashRoomPassword('café')
    expect(await verifyRoomPassword('cafe\u0301', stored)).toBe(true)
  })

  it('refuses everything where what is stored is no hash', async () => {
    expect(await verifyRoomPassword('', '')).toBe(false)
    expect(await verifyRoomPassword('x', 'x')).toBe(false)
  })
})
