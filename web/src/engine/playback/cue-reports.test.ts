import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen, pass, playing } from '../testing/listen.ts'
import { makeShortTrack, makeTimeline } from '../testing/room-fixtures.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

describe('a cued track', () => {
  it('4.13b is reported as ready once', async () => {
    const { ready, change } = listen({})
    await pass(1_000)
    change({
      timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 101 }),
      track: makeShortTrack('b'),
    })
    expect(ready).toEqual([])
    await pass(3_000)
    expect(ready).toEqual([101])
    change({ timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 102 }) })
    expect(ready).toEqual([101, 102])
  })

  it('16.294 is reported as ready also when it started before it was loaded', async () => {
    const { ready, change } = listen({})
    await pass(1_000)
    change({
      timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 101 }),
      track: makeShortTrack('b'),
    })
    change({ timeline: makeTimeline({ ...playing(), trackId: 'b', sequenceNumber: 201 }) })
    expect(ready).toEqual([])
    await pass(3_000)
    expect(ready).toEqual([101])
  })
})
