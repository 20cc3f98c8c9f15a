import { describe, expect, it } from 'vitest'
import { measureArrivals } from './rounds.ts'

const record = (arrivals: [sequenceNumber: number, atMs: number][]) => ({
  sequenceNumbers: Float64Array.from(arrivals.map(([sequenceNumber]) => sequenceNumber)),
  arrivedAtMs: Float64Array.from(arrivals.map(([, atMs]) => atMs)),
})

describe('the arrivals of commands', () => {
  const sentAtMs = new Map([
    [100, 1_000],
    [200, 1_100],
  ])

  it('are measured from their own command, in any order of arrival', () => {
    const recording = record([
      [100, 1_002],
      [200, 1_101],
      [100, 1_150],
      [200, 1_104],
    ])
    expect(measureArrivals(recording, sentAtMs, 2)).toEqual({
      arrivedMs: [2, 1, 150, 4],
      receivedByAllMs: [150, 4],
    })
  })

  it('leave out changes without a command', () => {
    const recording = record([
      [99, 900],
      [100, 1_002],
      [200, 1_101],
    ])
    expect(measureArrivals(recording, sentAtMs, 1).arrivedMs).toEqual([2, 1])
  })

  it('are rejected where one is missing', () => {
    expect(() => measureArrivals(record([[100, 1_002]]), sentAtMs, 1)).toThrow('1 of 2 arrivals')
  })
})
