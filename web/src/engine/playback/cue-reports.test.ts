import { initialClock } from '@earshot/core/sync/clock/clock-offset'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { applySnapshot, forgetOrder } from '../state/server-updates.ts'
import { listen, pass, playing } from '../testing/listen.ts'
import { emptyRoom, makeShortTrack, makeSnapshot, makeState } from '../testing/room-fixtures.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

it('16.279 a cued track is reported as ready again after a reconnect, as the server forgot it with the connection', async () => {
  const { ready, change } = listen({})
  await pass(1_000)
  const cue = makeSnapshot({ state: makeState({ trackId: 'b', isCueing: true, sequenceNumber: 101 }) })
  const cued = applySnapshot(emptyRoom(), cue)
  const reports = () => ready.filter((sequenceNumber) => sequenceNumber === 101)
  change({ timeline: cued.confirmed.timeline, track: makeShortTrack('b') })
  await pass(3_000)
  expect(reports()).toHaveLength(1)
  const lost = forgetOrder(cued)
  change({ timeline: lost.confirmed.timeline })
  await pass(1_000)
  change({ timeline: applySnapshot(lost, cue).confirmed.timeline })
  expect(reports()).toHaveLength(2)
  await pass(1_000)
  expect(reports()).toHaveLength(2)
})

it('17.463 the next track is reported again after a reconnect, as the server forgot it with the connection', async () => {
  const { nextReady, latest, change, state } = listen(playing(40_000))
  await pass(1_000)
  latest().isPrepared = true
  change({ nextTrack: makeShortTrack('b') })
  await pass(2_000)
  expect(nextReady).toEqual(['b after 200'])
  const { timeline } = state
  const room = emptyRoom()
  const lost = forgetOrder({ ...room, confirmed: { ...room.confirmed, timeline } })
  change({ timeline: lost.confirmed.timeline })
  change({ timeline })
  expect(nextReady.at(-1)).toBe('b after 200')
  expect(nextReady.length).toBeGreaterThan(1)
})

it('17.457 a page is not ready for a cued track until its clock is measured: it could not start with the others', async () => {
  const { ready, reports, measure } = listen({ isCueing: true, sequenceNumber: 7 }, initialClock)
  await pass(3_000)
  expect(reports.at(-1)).toMatchObject({ cause: 'no_clock', errorMs: null })
  expect(ready).toEqual([])
  measure()
  await pass(500)
  expect(reports.at(-1)).toMatchObject({ cause: 'paused' })
  expect(ready).toEqual([7])
})
