import { describe, expect, it } from 'vitest'
import type { Source } from '../protocol/entities.ts'
import { limits } from '../limits.ts'
import { type Audience, leadMs } from './lead.ts'
import { emptyTimeline, type Timeline } from './timeline.ts'

const audience = (...roundTripsMs: number[]): Audience => ({
  roundTripsMs,
  hasElement: false,
  isLoading: false,
})

const nowMs = 1_000_000
const pausedFor = (ms: number, source: Source | null = 'library') => ({
  ...emptyTimeline,
  source,
  atServerMs: nowMs - ms,
})
/** The lead of a start soon after a pause. */
const leadOf = (listeners: Audience, source: Source | null) =>
  leadMs(listeners, { timeline: pausedFor(1_000, source), hasPlayed: true }, nowMs)

describe('the lead of a scheduled start', () => {
  it('4.11a is 1.5 times the 95th percentile of the round trips plus the start cost', () => {
    for (const roundTrips of [
      [40, 40, 200],
      [200, 40, 41],
      [40, 200, 39],
    ]) {
      expect(leadOf(audience(...roundTrips), 'library')).toBe(1.5 * 200 + 100)
    }
    expect(leadOf(audience(200), null)).toBe(1.5 * 200 + 100)
    expect(leadOf(audience(200), 'youtube')).toBe(1.5 * 200 + 300)
    expect(leadOf(audience(200), 'spotify')).toBe(1.5 * 200 + 500)
  })

  it('4.11a includes the start cost of an audio element if a member uses one', () => {
    const mixed = { ...audience(200), hasElement: true }
    expect(leadOf(mixed, 'library')).toBe(1.5 * 200 + 200)
    expect(leadOf(mixed, 'youtube')).toBe(1.5 * 200 + 300)
  })

  it('15.47 is shorter for a cued Spotify track, which is loaded and paused', () => {
    const leadOfCued = (source: Source) =>
      leadMs(
        audience(200),
        { timeline: { ...pausedFor(1_000, source), isCueing: true }, hasPlayed: true },
        nowMs,
      )
    expect(leadOfCued('spotify')).toBe(1.5 * 200 + limits.cuedSpotifyStartCostMs)
    expect(leadOfCued('youtube')).toBe(1.5 * 200 + 300)
    expect(leadOfCued('library')).toBe(1.5 * 200 + 100)
  })

  it('4.11a is at least 120 ms and at most 3 s', () => {
    expect(leadOf(audience(), 'library')).toBe(120)
    expect(leadOf(audience(1), 'library')).toBe(120)
    expect(leadOf(audience(5_000), 'library')).toBe(3_000)
  })

  it('16.246 waits for no round trip above 250 ms that exceeds three times the median', () => {
    const others = [30, 30, 30, 30, 30]
    expect(leadOf(audience(...others, 60_000), 'library')).toBe(1.5 * 250 + 100)
    expect(leadOf(audience(...others, 60_000, 60_000), 'library')).toBe(1.5 * 250 + 100)
    expect(leadOf(audience(30, 30, 60_000), 'library')).toBe(1.5 * 250 + 100)
    expect(leadOf(audience(...others, 250), 'library')).toBe(1.5 * 250 + 100)
    expect(leadOf(audience(200, 200, 200, 60_000), 'library')).toBe(1.5 * 600 + 100)
  })

  it('16.246 waits for slow members where half of them or more are slow, and for one of two', () => {
    for (const roundTrips of [[1_500], [30, 1_500], [30, 1_500, 1_500], [800, 900, 1_500, 1_400]])
      expect(leadOf(audience(...roundTrips), 'library')).toBe(1.5 * 1_500 + 100)
  })

  it('12.20e includes the time in which audio outputs start: after a pause of 30 s, and before the first sound', () => {
    const leadOfRoom = (timeline: Timeline, hasPlayed = true) =>
      leadMs(audience(20), { timeline, hasPlayed }, nowMs)
    expect(leadOfRoom(pausedFor(29_999))).toBe(1.5 * 20 + 100)
    expect(leadOfRoom(pausedFor(30_000))).toBe(1.5 * 20 + 100 + 300)
    expect(leadOfRoom({ ...pausedFor(60_000), isPlaying: true })).toBe(1.5 * 20 + 100)
    expect(leadOfRoom(pausedFor(1_000), false)).toBe(1.5 * 20 + 100 + 300)
  })

  it('ignores the slowest listener among many', () => {
    const roundTrips = [...Array.from({ length: 39 }, () => 30), 2_500]
    expect(leadOf(audience(...roundTrips), 'library')).toBe(1.5 * 30 + 100)
  })
})
