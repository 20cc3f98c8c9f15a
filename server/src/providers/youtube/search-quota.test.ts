import { createFakeClock } from '@earshot/core/testing/fake-clock'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { createSearchQuotas, endOfQuotaDay, quotaDay } from './search-quota.ts'

const ownKey = { key: 'key', isOwn: true }
const serverKey = { key: 'key', isOwn: false }
const resetsAt = Date.parse('2026-07-16T07:00:00Z')

describeDatabases('the count of YouTube searches', (open) => {
  it('7.14b admits exactly the limit, however many processes count at once', async () => {
    const db = await open()
    const clock = createFakeClock(Date.parse('2026-07-15T12:00:00Z'))
    const processes = [createSearchQuotas(db, clock), createSearchQuotas(db, clock)]
    const attempts = Array.from({ length: 60 }, () =>
      processes.map((quotas) => quotas.take(ownKey, 'ann')),
    ).flat()
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    const [quotas] = processes
    expect(await quotas?.read('key')).toEqual({ used: 100, limit: 100, resetsAt })
    expect(await quotas?.read('another key')).toEqual({ used: 0, limit: 100, resetsAt })
    await expect(quotas?.take(ownKey, 'ann')).rejects.toMatchObject({
      code: 'provider_limit',
      details: { retryAfterMs: resetsAt - clock.now() },
    })
  })

  it("15.40 leaves half of the day's searches to others once a user has used their share", async () => {
    const db = await open()
    const quotas = createSearchQuotas(db, createFakeClock(Date.parse('2026-07-15T12:00:00Z')))
    const search = async (userId: string, times: number): Promise<number> => {
      let taken = 0
      // One after the other: at once, a search of one's share may follow those beyond it.
      for (let index = 0; index < times; index += 1) {
        taken += await quotas.take(serverKey, userId).then(
          () => 1,
          () => 0,
        )
      }
      return taken
    }
    expect(await search('ann', 150)).toBe(50)
    await expect(quotas.take(serverKey, 'ann')).rejects.toMatchObject({
      code: 'provider_limit',
      message: expect.stringContaining('your share'),
    })
    expect(await quotas.pausedUntil(serverKey, 'ann')).toBe(resetsAt)
    expect(await quotas.pausedUntil(serverKey, 'bob')).toBeNull()
    expect(await quotas.pausedUntil(serverKey, null)).toBeNull()
    expect(await search('bob', 60)).toBe(25)
    expect(await search('cleo', 60)).toBe(25)
    await expect(quotas.take(serverKey, 'dan')).rejects.toMatchObject({
      message: expect.stringContaining('used up'),
    })
    expect(await quotas.pausedUntil(serverKey, 'dan')).toBe(resetsAt)
  })
})

const at = (iso: string): number => Date.parse(iso)
const iso = (ms: number): string => new Date(ms).toISOString()

describe("the day of YouTube's quota", () => {
  it.each([
    ['in winter', '2026-01-15T12:00:00Z', '2026-01-15', '2026-01-16T08:00:00.000Z'],
    ['in summer', '2026-07-15T12:00:00Z', '2026-07-15', '2026-07-16T07:00:00.000Z'],
    ['just before midnight', '2026-07-16T06:59:59.999Z', '2026-07-15', '2026-07-16T07:00:00.000Z'],
    ['at midnight', '2026-07-16T07:00:00Z', '2026-07-16', '2026-07-17T07:00:00.000Z'],
    ['when summer time begins', '2026-03-08T09:30:00Z', '2026-03-08', '2026-03-09T07:00:00.000Z'],
    ['after it began', '2026-03-08T12:00:00Z', '2026-03-08', '2026-03-09T07:00:00.000Z'],
    ['when summer time ends', '2026-11-01T08:30:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z'],
    ['in the repeated hour', '2026-11-01T09:30:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z'],
  ])('7.14b ends at midnight, Pacific time, %s', (_, now, day, end) => {
    expect(quotaDay(at(now))).toBe(day)
    expect(iso(endOfQuotaDay(at(now)))).toBe(end)
  })

  it('7.14b ends within 25 hours, where the next day begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }), (now) => {
        const end = endOfQuotaDay(now)
        expect(end).toBeGreaterThan(now)
        expect(end - now).toBeLessThanOrEqual(25 * 3_600_000)
        expect(quotaDay(end - 1)).toBe(quotaDay(now))
        expect(quotaDay(end)).not.toBe(quotaDay(now))
      }),
    )
  })
})
