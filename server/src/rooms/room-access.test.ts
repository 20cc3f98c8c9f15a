import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from '../db/database.ts'
import { createPasswordAttempts } from './password-attempts.ts'
import { createRoomAccess } from './room-access.ts'
import { hashRoomPassword, verifyRoomPassword } from './room-password.ts'
import { createInvite, isInvited, revokeInvites, type RoomInvite } from '../db/room-invites.ts'
import { openRoom } from './testing/fixtures.ts'
import { serverLimits } from '../server-limits.ts'

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

const account = (id: string) => ({ id, isGuest: false })
const guest = (id: string) => ({ id, isGuest: true })
const wrongPassword = { code: 'wrong_password' }
const passwordRequired = { code: 'password_required' }

function start(db: Db, clock = createFakeClock()) {
  const attempts = createPasswordAttempts(null)
  return { db, clock, attempts, access: createRoomAccess({ db, clock, attempts }) }
}

describeDatabases('private rooms', (open) => {
  it('6.4a joining requires the password, and a wrong one is a clear error', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const admit = (password: string | null) => access.admit(room, account('ann'), { password })
    await expect(admit(null)).rejects.toMatchObject({ code: 'password_required' })
    await expect(admit('  ')).rejects.toMatchObject({ code: 'password_required' })
    await expect(admit('wrong')).rejects.toMatchObject(wrongPassword)
    await expect(admit('sesame')).resolves.toBeUndefined()
  })

  it('6.4b a user who gave the password once is admitted from then on, the owner always', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    await access.admit(room, account('ann'), { password: 'sesame' })
    await access.admit(room, account('ann'), {})
    await access.admit(room, account('owner'), {})
    expect(await access.isAdmitted(room, 'ann')).toBe(true)
    expect(await access.isAdmitted(room, 'stranger')).toBe(false)
    expect(await access.isAdmitted(room, null)).toBe(false)
  })

  it('16.81 who joins at once shares the statements that look up admissions', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const ids = Array.from({ length: 50 }, (_, index) => `u${index}`)
    await access.admit(room, account('u7'), { password: 'sesame' })
    const reads = vi.spyOn(db, 'selectFrom')
    const isAdmitted = await Promise.all(ids.map((id) => access.isAdmitted(room, id)))
    expect(ids.filter((_, index) => isAdmitted[index])).toEqual(['u7'])
    expect(reads).toHaveBeenCalledTimes(2)
  })

  it('17.29 a password that was changed while it was verified admits nobody', async () => {
    const { db, clock, access } = start(await open())
    const before = await openRoom(db, clock, 'first')
    const password = await hashRoomPassword('second')
    await db.updateTable('rooms').set({ password }).where('id', '=', before.id).execute()
    const admit = (id: string, given: string) => access.admit(before, account(id), { password: given })
    await expect(admit('ann', 'first')).rejects.toMatchObject(wrongPassword)
    await expect(access.admit({ ...before, password }, account('ann'), {})).rejects.toMatchObject(
      passwordRequired,
    )
    await db.updateTable('rooms').set({ is_public: 1, password: null }).where('id', '=', before.id).execute()
    await expect(admit('ann', 'first')).resolves.toBeUndefined()
    await db.deleteFrom('rooms').where('id', '=', before.id).execute()
    await expect(admit('ann', 'first')).rejects.toMatchObject({ code: 'room_not_found' })
  })

  it('6.4a attempts are limited to 5 per minute, user and room, also with the correct password', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const other = await openRoom(db, clock, 'sesame')
    for (let turn = 0; turn < 5; turn++) {
      await expect(access.admit(room, account('ann'), { password: 'wrong' })).rejects.toMatchObject(
        wrongPassword,
      )
    }
    await expect(access.admit(room, account('ann'), { password: 'sesame' })).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterMs: expect.any(Number) },
    })
    await access.admit(room, account('ben'), { password: 'sesame' })
    await access.admit(other, account('ann'), { password: 'sesame' })
  })

  it('16.326 guesses at one address keep nobody out who comes from another one', async () => {
    const { db, clock, access, attempts } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const enter = (id: string, password: string, address: string) =>
      access.admit(room, account(id), { password, address })
    for (let guess = 0; guess < 59; guess++)
      await attempts.take({ roomId: room.id, userId: `bot${guess}`, address: 'there' })
    await expect(enter('bot', 'wrong', 'there')).rejects.toMatchObject(wrongPassword)
    await expect(enter('ann', 'sesame', 'there')).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(enter('ben', 'sesame', 'here')).resolves.toBeUndefined()
  })

  it('16.326 the right password is none of the attempts that are counted', async () => {
    const { db, clock, access, attempts } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const guess = (userId: string) => attempts.take({ roomId: room.id, userId, address: 'here' })
    for (let count = 0; count < 58; count++) await guess(`bot${count}`)
    for (const id of ['ann', 'ben', 'cay'])
      await access.admit(room, account(id), { password: 'sesame', address: 'here' })
    await guess('dan')
    await guess('eva')
    await expect(guess('flo')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('16.6 attempts at one room are limited to 600 per minute, from wherever they come', async () => {
    const { db, clock, access, attempts } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    for (let count = 0; count < 600; count++)
      await attempts.take({ roomId: room.id, userId: `u${count}`, address: `a${count}` })
    await expect(access.admit(room, account('ben'), { password: 'sesame' })).rejects.toMatchObject({
      code: 'rate_limited',
    })
  })

  it('6.4d an invite link admits without the password, until it expires, and for good whom it admitted', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const { token, expiresAt } = await createInvite(db, clock, { roomId: room.id, uses: null })
    await access.admit(room, account('ann'), { invite: token })
    await access.admit(room, account('ann'), {})
    clock.advance(expiresAt - clock.now())
    await expect(access.admit(room, account('ben'), { invite: token })).rejects.toMatchObject(
      passwordRequired,
    )
    await access.admit(room, account('ann'), {})
  })

  it('6.4d a link of another room, a revoked or an invented one does not admit', async () => {
    const { db, clock, access } = start(await open())
    const [room, other] = [await openRoom(db, clock, 'sesame'), await openRoom(db, clock, 'sesame')]
    const { token } = await createInvite(db, clock, { roomId: other.id, uses: null })
    const admit = (invite: string) => access.admit(room, account('ann'), { invite })
    await expect(admit(token)).rejects.toMatchObject(passwordRequired)
    await expect(admit('invented')).rejects.toMatchObject(passwordRequired)
    const revoked = await createInvite(db, clock, { roomId: room.id, uses: null })
    await revokeInvites(db, room.id)
    await expect(admit(revoked.token)).rejects.toMatchObject(passwordRequired)
    await access.admit(other, account('ann'), { invite: token })
  })

  it('6.4d a link for two admits two, also of many who come at once, and again whom it admitted', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const { token } = await createInvite(db, clock, { roomId: room.id, uses: 2 })
    const names = ['ann', 'ben', 'cat', 'dan', 'eve']
    const join = (name: string, invite?: string) => access.admit(room, account(name), { invite })
    const outcomes = await Promise.allSettled(names.map((name) => join(name, token)))
    const admitted = names.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(admitted).toHaveLength(2)
    for (const name of admitted) await join(name, token)
    for (const name of names.filter((name) => !admitted.includes(name))) {
      await expect(join(name, token)).rejects.toMatchObject(passwordRequired)
    }
    expect(await isInvited(db, clock, room.id, token)).toBe(false)
  })

  it('6.4d a guest who may not come takes no use of a link', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const { token } = await createInvite(db, clock, { roomId: room.id, uses: 1 })
    const closed = { ...room, settings: JSON.stringify({ guests: 'nobody' }) }
    await expect(access.admit(closed, guest('gus'), { invite: token })).rejects.toMatchObject({
      code: 'guests_not_admitted',
    })
    await access.admit(room, guest('gus'), { invite: token })
  })

  it('6.4d a room has at most 100 links, of which the oldest end', async () => {
    const { db, clock, access } = start(await open())
    const room = await openRoom(db, clock, 'sesame')
    const invites: RoomInvite[] = []
    for (let count = 0; count <= serverLimits.roomInvitesMax; count += 1) {
      clock.advance(1)
      invites.push(await createInvite(db, clock, { roomId: room.id, uses: null }))
    }
    const [first, second] = invites
    await expect(access.admit(room, account('ann'), { invite: first?.token })).rejects.toMatchObject(
      passwordRequired,
    )
    await access.admit(room, account('ann'), { invite: second?.token })
  })
})
