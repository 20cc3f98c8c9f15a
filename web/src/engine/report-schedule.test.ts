import { describe, expect, it } from 'vitest'
import { startChores, takeDueChores, type Chore, type ChoreFacts } from './report-schedule.ts'

const steadyOwner = { isOwner: true, isPlaying: true, isHidden: false, isSteady: true, broadcastAtMs: null }
const listener = { ...steadyOwner, isOwner: false }

/** Turns four times a second; when, in ms after joining, each chore was done. */
function live(facts: Omit<ChoreFacts, 'nowMs'>, forMs: number): Record<Chore, number[]> {
  const done: Record<Chore, number[]> = {
    report_position: [],
    force_position: [],
    request_sync: [],
    request_initial_sync: [],
    report_sync: [],
  }
  let times = startChores(0)
  for (let nowMs = 0; nowMs <= forMs; nowMs += 250) {
    const next = takeDueChores(times, { ...facts, nowMs })
    times = next.times
    for (const chore of next.due) done[chore].push(nowMs)
  }
  return done
}

const gaps = (instants: number[]) =>
  instants.slice(1).map((instant, index) => instant - (instants[index] ?? 0))

describe('position reports', () => {
  it('4.20a, 9.10, 9.12 the owner reports every 5 s, every other time forced', () => {
    const { report_position, force_position } = live(steadyOwner, 60_000)
    expect(report_position).toEqual([5_000, 15_000, 25_000, 35_000, 45_000, 55_000])
    expect(force_position).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000])
  })

  it('5.8a, 9.9 not within 500 ms of what the page said last, unless it is forced', () => {
    const dueAt = (nowMs: number, broadcastAtMs: number) =>
      takeDueChores(
        { ...startChores(0), positionAtMs: nowMs - 5_000 },
        { ...steadyOwner, nowMs, broadcastAtMs },
      ).due
    expect(dueAt(7_000, 6_501)).not.toContain('report_position')
    expect(dueAt(7_000, 6_500)).toContain('report_position')
    expect(dueAt(10_000, 9_999)).toContain('force_position')
  })

  it('5.7a only the owner speaks for the room', () => {
    const { report_position, force_position } = live(listener, 60_000)
    expect([...report_position, ...force_position]).toEqual([])
  })

  it('says nothing while paused, or while the sound is not where the room is', () => {
    for (const facts of [
      { ...steadyOwner, isPlaying: false },
      { ...steadyOwner, isSteady: false },
    ]) {
      const { report_position, force_position } = live(facts, 60_000)
      expect([...report_position, ...force_position]).toEqual([])
    }
  })
})

describe('sync requests', () => {
  it('4.20c, 9.4 every 30 s while playing', () => {
    expect(gaps([0, ...live(steadyOwner, 120_000).request_sync])).toEqual([30_000, 30_000, 30_000, 30_000])
  })

  it.each([{ isPlaying: false }, { isHidden: true }])('4.20c, 9.4 every 45 s with %o', (idle) => {
    expect(gaps([0, ...live({ ...steadyOwner, ...idle }, 90_000).request_sync])).toEqual([45_000, 45_000])
  })

  it('4.7d those who only listen ask 1.5 s after joining, once', () => {
    expect(live(listener, 20_000).request_initial_sync).toEqual([1_500])
    expect(live(steadyOwner, 20_000).request_initial_sync).toEqual([])
  })
})

it('says every 5 s how well it is in sync, and at once for the first time', () => {
  expect(live(listener, 15_000).report_sync).toEqual([0, 5_000, 10_000, 15_000])
})
