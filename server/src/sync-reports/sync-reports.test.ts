import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../ids.ts'
import { type SyncReport, type SyncReports, createSyncReports } from './sync-reports.ts'
import { createReportExchange } from './sync-report-exchange.ts'
import { serverLimits } from '../server-limits.ts'

const inSync = (errorMs: number | null, rttMs: number | null = null): SyncReport => ({
  errorMs,
  cause: 'in_sync',
  rttMs,
  player: 'library',
})

async function collectAll(reports: SyncReports) {
  const collected = []
  for await (const each of reports.collect()) collected.push(each)
  return collected
}

describe('sync reports', () => {
  it('collects the errors of the members of each room, once per round of reports', async () => {
    const reports = createSyncReports(createFakeClock(), null)
    reports.report('r1', 'ann', inSync(-4, 20))
    reports.report('r1', 'ben', inSync(2, 30))
    reports.report('r1', 'cem', { errorMs: null, cause: 'blocked', rttMs: null, player: null })
    reports.report('r2', 'dee', inSync(9, 99))
    const told = await collectAll(reports)
    expect(told.map((each) => each.roomId)).toEqual(['r1', 'r2'])
    expect(told[0]?.status).toEqual({
      members: {
        ann: { errorMs: -4, cause: 'in_sync' },
        ben: { errorMs: 2, cause: 'in_sync' },
        cem: { errorMs: null, cause: 'blocked' },
      },
      p50Ms: 2,
      p95Ms: 4,
    })
    expect(reports.audience('r1')).toEqual({
      roundTripsMs: [20, 30],
      hasElement: false,
      isLoading: false,
    })
    expect(reports.audience('unknown')).toEqual({ roundTripsMs: [], hasElement: false, isLoading: false })
    expect(reports.boundsMs()).toEqual([4, 2, 9])
    expect(await collectAll(reports)).toEqual([])
  })

  it('17.457 a room loads its track while so many members report it that a cue would wait for them', () => {
    const reports = createSyncReports(createFakeClock(), null)
    const loading: SyncReport = { errorMs: null, cause: 'buffering', rttMs: 20, player: 'library' }
    const report = (members: number, ofThemLoading: number): boolean => {
      const roomId = `${members} ${ofThemLoading}`
      for (let index = 0; index < members; index++)
        reports.report(roomId, `m${index}`, index < ofThemLoading ? loading : inSync(0))
      return reports.audience(roomId).isLoading
    }
    expect([report(20, 0), report(20, 1), report(1, 1)]).toEqual([false, true, true])
    // One rude or slow client does not hold up a crowd.
    expect([report(30, 3), report(30, 4)]).toEqual([false, true])
    reports.report('1 1', 'm0', inSync(0))
    expect(reports.audience('1 1').isLoading).toBe(false)
  })

  it('17.457 who loads for more than 10 s, or has left, is waited for no more', () => {
    const clock = createFakeClock()
    const reports = createSyncReports(clock, null)
    const report = (
      cause: 'buffering' | 'no_clock' | 'paused',
      userId = 'ann',
      errorMs: number | null = null,
    ) => reports.report('r', userId, { errorMs, cause, rttMs: 20, player: 'library' })
    const isLoading = () => reports.audience('r').isLoading
    report('buffering')
    clock.advance(5_000)
    report('no_clock')
    clock.advance(5_000)
    expect(isLoading()).toBe(true)
    clock.advance(1)
    report('buffering')
    expect(isLoading()).toBe(false)
    report('paused')
    report('buffering')
    expect(isLoading()).toBe(true)
    report('no_clock', 'ann', 3)
    expect(isLoading()).toBe(false)
    report('buffering', 'ben')
    expect(isLoading()).toBe(true)
    reports.forget('r', ['ben', 'nobody'])
    expect(isLoading()).toBe(false)
    reports.forget('unknown', ['ben'])
  })

  it('16.200 while other processes cannot be asked, the rooms have the figures of this one', async () => {
    const clock = createFakeClock()
    let asked = 0
    const reports = createSyncReports(clock, async () => {
      asked += 1
      throw new Error('Command timed out')
    })
    for (let index = 0; index < 120; index++) reports.report(`r${index}`, 'ann', inSync(index))
    const collected = await collectAll(reports)
    expect(collected).toHaveLength(120)
    expect(collected.at(-1)?.status.members).toEqual({ ann: { errorMs: 119, cause: 'in_sync' } })
    // Not once for each batch, which may take as long as a time limit.
    expect(asked).toBe(50)
    reports.report('r1', 'ann', inSync(5))
    clock.advance(limits.syncReportMs)
    expect((await collectAll(reports))[0]?.status.p50Ms).toBe(5)
  })

  it('16.158 collects many rooms in several turns, between which others run', async () => {
    const reports = createSyncReports(createFakeClock(), null)
    for (let index = 0; index < 120; index++) reports.report(`r${index}`, 'ann', inSync(1))
    const order: string[] = []
    setImmediate(() => order.push('probe'))
    for await (const { roomId } of reports.collect()) order.push(roomId)
    expect(order).toHaveLength(121)
    expect(order.indexOf('probe')).toBeLessThanOrEqual(50)
  })

  it('11.3b counts each member’s error plus its uncertainty', async () => {
    const reports = createSyncReports(createFakeClock(), null)
    reports.report('r1', 'ann', { ...inSync(-4), uncertaintyMs: 20 })
    reports.report('r1', 'ben', { ...inSync(0.5), uncertaintyMs: 2 })
    reports.report('r1', 'cem', { ...inSync(null), uncertaintyMs: null })
    const [told] = await collectAll(reports)
    expect(told?.status).toMatchObject({ p50Ms: 2.5, p95Ms: 24 })
    expect(told?.status.members.ann).toEqual({ errorMs: -4, uncertaintyMs: 20, cause: 'in_sync' })
    expect(reports.boundsMs()).toEqual([24, 2.5])
  })

  it('16.116 figures are kept and sent in hundredths of a ms', async () => {
    const reports = createSyncReports(createFakeClock(), null)
    reports.report('r1', 'ann', { ...inSync(-0.20837744231328154), uncertaintyMs: 3.5007439053761282 })
    reports.report('r1', 'ben', { ...inSync(0.1), uncertaintyMs: 0.2 })
    const [told] = await collectAll(reports)
    expect(told?.status.members.ann).toMatchObject({ errorMs: -0.21, uncertaintyMs: 3.5 })
    expect(told?.status).toMatchObject({ p50Ms: 0.3, p95Ms: 3.71 })
  })

  it('removes members who stopped reporting', async () => {
    const clock = createFakeClock()
    const reports = createSyncReports(clock, null)
    reports.report('r1', 'gone', inSync(100))
    clock.advance(serverLimits.syncReportKeepMs)
    reports.report('r1', 'ann', inSync(1))
    clock.advance(1)
    const [told] = await collectAll(reports)
    expect(Object.keys(told?.status.members ?? {})).toEqual(['ann'])
  })

  it('collects a room of thousands less often, the more of its members report', async () => {
    const clock = createFakeClock()
    const reports = createSyncReports(clock, null)
    const reportAll = (): void => {
      for (let index = 0; index < 8_000; index++) reports.report('r1', `u${index}`, inSync(1))
    }
    reportAll()
    expect(await collectAll(reports)).toHaveLength(1)
    clock.advance(limits.syncReportMs)
    reportAll()
    expect(await collectAll(reports)).toHaveLength(0)
    clock.advance(limits.syncReportMs)
    expect(await collectAll(reports)).toHaveLength(1)
  })
})

describe('sync reports of two processes', () => {
  const redis = new Redis(inject('redisUrl'))
  afterAll(() => redis.quit())

  it('share reports and round trips, and drop those of a process that stopped', async () => {
    const clock = createFakeClock()
    const roomId = newId()
    const create = (name: string) =>
      createSyncReports(
        clock,
        createReportExchange(redis, { kind: 'sync', processId: name, nowMs: () => clock.now() }),
      )
    const [first, second] = [create('first'), create('second')]
    first.report(roomId, 'ann', inSync(3, 10))
    await collectAll(first)
    second.report(roomId, 'ben', inSync(5, 200))
    const [told] = await collectAll(second)
    expect(told?.status).toMatchObject({ members: { ann: { errorMs: 3 }, ben: { errorMs: 5 } }, p95Ms: 5 })
    expect(second.audience(roomId).roundTripsMs.toSorted((a, b) => a - b)).toEqual([10, 200])

    clock.advance(serverLimits.syncReportKeepMs + 1)
    second.report(roomId, 'ben', inSync(5, 200))
    const [later] = await collectAll(second)
    expect(Object.keys(later?.status.members ?? {})).toEqual(['ben'])
  })
})
