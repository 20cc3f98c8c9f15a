import { AppError } from '@earshot/core/protocol/errors'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, onTestFinished, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createRoomChangeLimit } from './room-change-limit.ts'
import type { RoomRuntime } from './room-runtime.ts'
import { openRoom } from './testing/fixtures.ts'
import { otherRates } from '../limits/rates.ts'

const { roomChanges, guestChanges } = otherRates

const member = (id: string, isGuest = false, address: string | null = 'home') => ({
  user: { id, isGuest },
  address,
})

const known = { ownerId: 'owner', controllerId: 'dj' } as ReturnType<RoomRuntime['findKnown']>

describeDatabases('the limit of the changes of a room', (open) => {
  const openLimit = async (found = known) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const db = await open()
    const room = await openRoom(db, createFakeClock())
    const limit = createRoomChangeLimit({ db, runtime: { findKnown: () => found } })
    const change = (sender: ReturnType<typeof member>, roomId = room.id) =>
      limit.change(roomId, sender, async () => ({ changes: ['queue'] }))
    const take = (sender: ReturnType<typeof member>) =>
      change(sender).then(
        () => 'taken',
        (error: { code: string; details?: object }) => error,
      )
    return { limit, room, change, take }
  }
  const refused = expect.objectContaining({
    code: 'rate_limited',
    details: { retryAfterMs: expect.any(Number) },
  })

  it('16.245 all members of a room change it 60 times a second, and write as many messages', async () => {
    expect(roomChanges).toEqual({ points: 60, perMs: 1_000 })
    const { take, change, limit, room } = await openLimit()
    for (let index = 0; index < roomChanges.points; index += 1)
      expect(await take(member(`m${index % 6}`))).toBe('taken')
    expect(await take(member('new'))).toEqual(refused)
    expect(await limit.message(room.id, member('new'), async () => 'sent')).toBe('sent')
    await change(member('new'), 'another room')
    vi.advanceTimersByTime(roomChanges.perMs)
    expect(await take(member('new'))).toBe('taken')
  })

  it.each([
    ['a room that was changed lately', known],
    ['a quiet one', null],
  ])('16.245 its owner is never refused: %s', async (_, found) => {
    const { take } = await openLimit(found)
    for (let index = 0; index < 2 * roomChanges.points; index += 1) await take(member(`m${index % 6}`))
    expect(await take(member('ann'))).toEqual(refused)
    expect(await take(member('owner'))).toBe('taken')
  })

  it('16.245 nor is an owner whom another process has made it', async () => {
    const { take } = await openLimit({ ...known!, ownerId: 'the owner before' })
    for (let index = 0; index < 2 * roomChanges.points; index += 1) await take(member(`m${index % 6}`))
    expect(await take(member('owner'))).toBe('taken')
  })

  it('16.245 what is refused, or changes nothing, takes no change from the others', async () => {
    const { take, limit, room } = await openLimit()
    const refusal = new AppError('not_owner')
    for (let index = 0; index < 2 * roomChanges.points; index += 1) {
      const stranger = member(`g${index % 2}`, true, index % 2 === 0 ? 'home' : 'office')
      const refusedChange = limit.change(room.id, stranger, () => Promise.reject(refusal))
      await expect(refusedChange).rejects.toBe(refusal)
      await limit.change(room.id, stranger, async () => ({ changes: [] }))
      const refusedMessage = limit.message(room.id, stranger, () => Promise.reject(refusal))
      await expect(refusedMessage).rejects.toBe(refusal)
    }
    for (let index = 0; index < roomChanges.points; index += 1)
      expect(await take(member('ann'))).toBe('taken')
    expect(await take(member('ann'))).toEqual(refused)
  })

  it('16.245 nor is who has the controls', async () => {
    const { take } = await openLimit()
    for (let index = 0; index < 2 * roomChanges.points; index += 1) await take(member('dj'))
    expect(await take(member('ann'))).toBe('taken')
  })

  it('16.245 the guests of one address change it 30 times a second; accounts and guests elsewhere go on', async () => {
    expect(guestChanges).toEqual({ points: 30, perMs: 1_000 })
    const { take } = await openLimit()
    for (let index = 0; index < guestChanges.points; index += 1)
      expect(await take(member(`g${index % 3}`, true))).toBe('taken')
    expect(await take(member('g4', true))).toEqual(refused)
    expect(await take(member('g5', true, 'office'))).toBe('taken')
    expect(await take(member('g6', true, null))).toBe('taken')
    expect(await take(member('ann'))).toBe('taken')
  })
})
