import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { applySnapshot, forgetOrder } from '../state/server-updates.ts'
import { listen, pass } from '../testing/listen.ts'
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
