import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { createSearchQuotas } from './search-quota.ts'

const resetsAt = Date.parse('2026-07-16T07:00:00Z')

describeDatabases('the count of YouTube searches', (open) => {
  it('7.14b admits exactly the limit, however many processes count at once', async () => {
    const db = await open()
    const clock = createFakeClock(Date.parse('2026-07-15T12:00:00Z'))
    const processes = [createSearchQuotas(db, clock), createSearchQuotas(db, clock)]
    const attempts = Array.from({ length: 60 }, () => processes.map((quotas) => quotas.take('key'))).flat()
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    const [quotas] = processes
    expect(await quotas?.read('key')).toEqual({ used: 100, limit: 100, resetsAt })
    expect(await quotas?.read('another key')).toEqual({ used: 0, limit: 100, resetsAt })
    await expect(quotas?.take('key')).rejects.toMatchObject({
      code: 'provider_limit',
      details: { retryAfterMs: resetsAt - clock.now() },
    })
  })
})
