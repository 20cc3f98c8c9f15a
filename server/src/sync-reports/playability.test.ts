import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../ids.ts'
import { type Playability, createPlayability } from './playability.ts'
import { createReportExchange } from './sync-report-exchange.ts'

async function collect(playability: Playability) {
  const changed = []
  for await (const room of playability.collect()) changed.push(room)
  return changed
}

function open(parts: Partial<Parameters<typeof createPlayability>[0]> = {}) {
  const clock = createFakeClock()
  const connected = new Set(['ann', 'ben', 'cem'])
  const reads: string[] = []
  const playability = createPlayability({
    clock,
    exchange: null,
    listUpcoming: (roomId) => {
      reads.push(roomId)
      return Promise.resolve(['t1', 't2'])
    },
    connectedUsers: () => connected,
    ...parts,
  })
  return { clock, connected, reads, playability }
}

describe('playability', () => {
  it('15.28 counts the members who cannot play each of the next tracks, and only changes are sent', async () => {
    const { clock, playability } = open()
    playability.report('r1', 'ann', ['t1', 't2'])
    playability.report('r1', 'ben', ['t2'])
    playability.report('r2', 'cem', [])
    expect(await collect(playability)).toEqual([{ roomId: 'r1', unplayable: { t1: 1, t2: 2 } }])
    clock.advance(1_000)
    expect(playability.report('r1', 'ben', ['t2'])).toEqual({ t1: 1, t2: 2 })
    expect(await collect(playability)).toEqual([])
    playability.report('r1', 'ann', [])
    playability.report('r1', 'ben', [])
    clock.advance(1_000)
    expect(await collect(playability)).toEqual([{ roomId: 'r1', unplayable: {} }])
  })

  it('15.29 tracks that are neither current nor next are not counted', async () => {
    const { playability } = open()
    playability.report('r1', 'ann', ['invented', 't1'])
    expect(await collect(playability)).toEqual([{ roomId: 'r1', unplayable: { t1: 1 } }])
  })

  it('15.29 forgets members who left', async () => {
    const { clock, connected, playability } = open()
    playability.report('r1', 'ann', ['t1'])
    await collect(playability)
    connected.delete('ann')
    playability.recount('r1')
    clock.advance(1_000)
    expect(await collect(playability)).toEqual([{ roomId: 'r1', unplayable: {} }])
    expect(playability.report('r1', 'ben', [])).toEqual({})
  })

  it('15.29 a member who flips the report all the time costs one read and one broadcast a second', async () => {
    const { clock, reads, playability } = open()
    let sent = 0
    for (let index = 0; index < 200; index++) {
      playability.report('r1', 'ann', index % 2 === 0 ? ['t1'] : [])
      sent += (await collect(playability)).length
      clock.advance(50)
    }
    expect(sent).toBeLessThanOrEqual(10)
    expect(reads.length).toBeLessThanOrEqual(10)
  })

  it('15.29 a large room is counted less often', async () => {
    const users = Array.from({ length: 5_000 }, (_, index) => `u${index}`)
    const { clock, playability } = open({ connectedUsers: () => new Set(users) })
    for (const user of users) playability.report('r1', user, ['t1'])
    expect(await collect(playability)).toHaveLength(1)
    playability.report('r1', 'u1', [])
    clock.advance(4_000)
    expect(await collect(playability)).toHaveLength(0)
    clock.advance(1_000)
    expect(await collect(playability)).toEqual([{ roomId: 'r1', unplayable: { t1: 4_999 } }])
  })

  it('a count that failed is done again', async () => {
    let isDown = true
    const { clock, playability } = open({
      listUpcoming: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(['t1'])),
    })
    playability.report('r1', 'ann', ['t1'])
    await expect(collect(playability)).rejects.toThrow('down')
    isDown = false
    clock.advance(1_000)
    expect(await collect(playability)).toHaveLength(1)
  })
})

describe('playability of two processes', () => {
  const redis = new Redis(inject('redisUrl'))
  afterAll(() => redis.quit())

  it('15.28 counts the members of both, a user on both once', async () => {
    const clock = createFakeClock()
    const roomId = newId()
    const create = (processId: string) =>
      open({
        clock,
        exchange: createReportExchange(redis, { kind: 'playability', processId, nowMs: () => clock.now() }),
      }).playability
    const [first, second] = [create('first'), create('second')]
    first.report(roomId, 'ann', ['t1'])
    second.report(roomId, 'ann', ['t1'])
    second.report(roomId, 'ben', ['t1'])
    await collect(first)
    expect(await collect(second)).toEqual([{ roomId, unplayable: { t1: 2 } }])
    clock.advance(limits.syncReportMs)
    expect(await collect(first)).toEqual([{ roomId, unplayable: { t1: 2 } }])
  })
})
