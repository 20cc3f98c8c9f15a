import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { startTwo } from './two-servers.ts'

const cannotPlay = (...trackIds: string[]) =>
  trackIds.map((trackId) => ({ trackId, reason: 'not_connected' }))

describe('playability over sockets', () => {
  it('15.28, 15.29 members are told how many cannot play the next tracks, until those leave', async () => {
    const app = await startApp()
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const answer = await ann.ask('playability_report', {
      roomId,
      unplayable: cannotPlay('t1', 't2', 'other'),
    })
    expect(answer).toEqual({ unplayable: {} })
    expect(await owner.hear('playability')).toEqual({ roomId, unplayable: { t1: 1, t2: 1 } })
    const again = await owner.ask('playability_report', { roomId, unplayable: cannotPlay('t2') })
    expect(again).toEqual({ unplayable: { t1: 1, t2: 1 } })
    await ann.hear('playability', ({ unplayable }) => unplayable['t2'] === 2)
    ann.close()
    await owner.hear('playability', ({ unplayable }) => unplayable['t2'] === 1)
  })

  it('15.29 refuses reports of non-members, and reports that are too long or unknown', async () => {
    const app = await startApp()
    const { id: roomId, owner } = await openJoinedRoom(app)
    const stranger = await connect(app, await signUp(app, 'stranger'))
    const report = (client: typeof owner, unplayable: unknown) =>
      client.ask('playability_report', { roomId, unplayable })
    await expect(report(stranger, [])).rejects.toMatchObject({ code: 'not_a_member' })
    const tooMany = Array.from({ length: limits.playabilityReportSize + 1 }, (_, index) => `t${index}`)
    for (const unplayable of [cannotPlay(...tooMany), [{ trackId: 't1', reason: 'bored' }], 'all', null]) {
      await expect(report(owner, unplayable)).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })

  it('15.28 members on another server are counted and told', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    await owner.ask('playability_report', { roomId, unplayable: cannotPlay('t1') })
    await ann.ask('playability_report', { roomId, unplayable: cannotPlay('t1') })
    await vi.waitFor(() => {
      clock.advance(1_000)
      for (const client of [owner, ann]) {
        expect(client.all('playability').at(-1)?.unplayable).toEqual({ t1: 2 })
      }
    }, renewable)
  })
})
