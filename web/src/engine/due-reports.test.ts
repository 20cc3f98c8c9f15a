import { describe, expect, it } from 'vitest'
import { initialReportTimes, type Report, type ReportConditions, takeDueReports } from './periodic-reports.ts'

const steadyOwner = {
  isOwner: true,
  isLeading: true,
  isPlaying: true,
  isCueing: false,
  isHidden: false,
  isLoading: false,
  isStarting: false,
  isSteady: true,
  lastSentAtMs: null,
}
const listener = { ...steadyOwner, isOwner: false, isLeading: false }

/** Returns when each report is sent over some turns, in ms after joining. */
function timesOf(conditions: Omit<ReportConditions, 'nowMs'>, forMs: number): Record<Report, number[]> {
  const sent: Record<Report, number[]> = {
    report_position: [],
    force_position: [],
    request_sync: [],
    request_initial_sync: [],
    report_sync: [],
  }
  let times = initialReportTimes(0)
  for (let nowMs = 0; nowMs <= forMs; nowMs += 250) {
    const next = takeDueReports(times, { ...conditions, nowMs })
    times = next.times
    for (const report of next.due) sent[report].push(nowMs)
  }
  return sent
}

const gaps = (instants: number[]) =>
  instants.slice(1).map((instant, index) => instant - (instants[index] ?? 0))

describe('position reports', () => {
  it('4.20a, 9.10, 9.12 the owner reports every 5 s, every other time forced', () => {
    const { report_position, force_position } = timesOf(steadyOwner, 60_000)
    expect(report_position).toEqual([5_000, 15_000, 25_000, 35_000, 45_000, 55_000])
    expect(force_position).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000])
  })

  it('5.8a, 9.9 not within 500 ms of the last command or report, unless it is forced', () => {
    const dueAt = (nowMs: number, lastSentAtMs: number) =>
      takeDueReports(
        { ...initialReportTimes(0), positionAtMs: nowMs - 5_000 },
        { ...steadyOwner, nowMs, lastSentAtMs },
      ).due
    expect(dueAt(7_000, 6_501)).not.toContain('report_position')
    expect(dueAt(7_000, 6_500)).toContain('report_position')
    expect(dueAt(10_000, 9_999)).toContain('force_position')
  })

  it('5.7a only the owner reports positions', () => {
    const { report_position, force_position } = timesOf(listener, 60_000)
    expect([...report_position, ...force_position]).toEqual([])
  })

  it('are not sent while paused or out of sync', () => {
    for (const conditions of [
      { ...steadyOwner, isPlaying: false },
      { ...steadyOwner, isSteady: false },
    ]) {
      const { report_position, force_position } = timesOf(conditions, 60_000)
      expect([...report_position, ...force_position]).toEqual([])
    }
  })
})

describe('sync requests', () => {
  it('4.20c, 9.4 every 30 s while playing', () => {
    expect(gaps([0, ...timesOf(steadyOwner, 120_000).request_sync])).toEqual([30_000, 30_000, 30_000, 30_000])
  })

  it.each([{ isPlaying: false }, { isHidden: true }])('4.20c, 9.4 every 45 s with %o', (idle) => {
    expect(gaps([0, ...timesOf({ ...steadyOwner, ...idle }, 90_000).request_sync])).toEqual([45_000, 45_000])
  })

  it('4.7d listeners request once, 1.5 s after joining', () => {
    expect(timesOf(listener, 20_000).request_initial_sync).toEqual([1_500])
    expect(timesOf(steadyOwner, 20_000).request_initial_sync).toEqual([])
  })
})

it('reports its sync every 5 s, the first time at once', () => {
  expect(timesOf(listener, 15_000).report_sync).toEqual([0, 5_000, 10_000, 15_000])
})

describe('17.457 a listener who loads the track of a paused room', () => {
  /** Loads from 1.1 s to 1.9 s after joining, looked at every 100 ms. */
  const reportsOf = (isPlaying: boolean) => {
    const sent: [number, boolean][] = []
    let times = initialReportTimes(0)
    for (let nowMs = 0; nowMs <= 5_000; nowMs += 100) {
      const isLoading = nowMs >= 1_100 && nowMs < 1_900
      const next = takeDueReports(times, { ...listener, isPlaying, isLoading, nowMs })
      times = next.times
      if (next.due.includes('report_sync')) sent.push([nowMs, isLoading])
    }
    return sent
  }

  it('17.457 reports at once that it loads, and that it has loaded', () => {
    expect(reportsOf(false)).toEqual([
      [0, false],
      [1_100, true],
      [1_900, false],
    ])
  })

  it('17.457 reports no sooner than otherwise while the room plays, which waits for nobody', () => {
    expect(reportsOf(true)).toEqual([
      [0, false],
      [5_000, false],
    ])
  })

  it('17.457 reports nothing of a cue, which is answered, and that it is over once the track plays', () => {
    let times = initialReportTimes(0)
    const report = (nowMs: number, room: Partial<ReportConditions>) => {
      const next = takeDueReports(times, { ...listener, ...room, nowMs })
      times = next.times
      return next.due.includes('report_sync')
    }
    expect(report(0, { isPlaying: false, isCueing: false, isLoading: true })).toBe(true)
    expect(report(1_000, { isPlaying: false, isCueing: true, isLoading: true })).toBe(false)
    expect(report(2_000, { isPlaying: false, isCueing: true, isLoading: false })).toBe(false)
    // Not before there is something to say about its sound.
    expect(report(2_100, { isPlaying: true, isCueing: false, isLoading: false, isStarting: true })).toBe(
      false,
    )
    expect(report(2_600, { isPlaying: true, isCueing: false, isLoading: false })).toBe(true)
    // A stall while the room plays is told at the usual time, its end at once.
    expect(report(3_000, { isPlaying: true, isCueing: false, isLoading: true })).toBe(false)
    expect(report(7_600, { isPlaying: true, isCueing: false, isLoading: true })).toBe(true)
    expect(report(8_200, { isPlaying: true, isCueing: false, isLoading: false })).toBe(true)
  })

  it('17.457 reports four times a second at most, however often it begins anew', () => {
    let times = initialReportTimes(0)
    let reports = 0
    for (let nowMs = 0; nowMs < 4_000; nowMs += 10) {
      const isLoading = nowMs % 20 === 0
      const next = takeDueReports(times, { ...listener, isPlaying: false, isLoading, nowMs })
      times = next.times
      if (next.due.includes('report_sync')) reports += 1
    }
    expect(reports).toBeLessThanOrEqual(16)
  })
})
