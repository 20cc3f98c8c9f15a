import { describe, expect, it } from 'vitest'
import { parseBadge } from './badge.ts'

import { sessionFigures, type FigureOptions } from './session-figures.ts'
import type { Session } from './session.ts'
import { judgeSession, maxLagMs, windowMs, type SessionWindow } from '@earshot/e2e/sound/skew/session-windows'
import { toSounds } from '@earshot/e2e/sound/skew/sounds'
import { delayed, joined, makeNoise, silence, toFrames } from '@earshot/e2e/sound/skew/testing/sounds'

const room = makeNoise(2_000, 1)

/** A session of these recordings. */
const sessionOf = (recordings: Float32Array[], rest: Partial<Session> = {}): Session => ({
  people: recordings.length,
  windows: [...judgeSession(toSounds(recordings))],
  badges: [],
  arrivals: [],
  ...rest,
})

/** A long session of two people without sound: `lagAt` is their skew at a time, 'silent' where the second is silent. */
function makeSession(
  lengthMs: number,
  lagAt: (atMs: number) => number | null | 'silent',
  rest: Partial<Session> = {},
): Session {
  const windows = Array.from({ length: lengthMs / windowMs }, (_, index): SessionWindow => {
    const lagMs = lagAt(index * windowMs)
    const isSilent = lagMs === 'silent'
    return {
      fromMs: index * windowMs,
      sounding: [true, !isSilent],
      pairs: isSilent ? [] : [{ between: [0, 1], lagMs }],
    }
  })
  return { people: 2, windows, badges: [], arrivals: [], ...rest }
}

const readFrom = (sessions: Session[], options?: FigureOptions) => {
  const figures = sessionFigures(sessions, options)
  return (name: string) => figures.find((figure) => figure.name === name)
}

describe('the figures of recorded sound', () => {
  it('count a torn tenth as apart in every figure', () => {
    const torn = joined(room.subarray(0, toFrames(800)), makeNoise(200, 5), room.subarray(toFrames(1_000)))
    const of = readFrom([sessionOf([room, torn])])
    expect(of('time torn or with other music')?.value).toBeCloseTo(10, 5)
    for (const ms of [5, 20, 50]) expect(of(`time more than ${ms} ms apart`)?.value).toBeCloseTo(10, 5)
    expect(of('skew p50')?.value).toBeLessThan(0.01)
    expect(of('skew p95')?.value).toBe(maxLagMs)
    expect(of('time with somebody alone silent')?.value).toBe(0)
  })

  it('count all pairs: of three, one who is 30 ms late is late to both others', () => {
    const of = readFrom([sessionOf([room, room, delayed(room, 30)])])
    expect(of('time more than 20 ms apart')?.value).toBeGreaterThan(65)
    expect(of('skew max')?.value).toBeCloseTo(30, 1)
  })

  it('have goals that nobody is ever more than 50 ms apart or alone silent, which a lapse of one window misses', () => {
    const names = [
      'time more than 50 ms apart',
      'time with somebody alone silent',
      'longest time alone silent',
    ]
    const misses = (session: Session) =>
      sessionFigures([session])
        .filter(({ name }) => names.includes(name))
        .map(({ value, goal = Infinity }) => value > goal)
    const at = (lapse: number | 'silent') => (atMs: number) => (atMs === 4_000 ? lapse : 1)
    expect(misses(makeSession(8_000, at(50)))).toEqual([false, false, false])
    expect(misses(makeSession(8_000, at(51)))).toEqual([true, false, false])
    expect(misses(makeSession(8_000, at('silent')))).toEqual([false, true, true])
  })

  it('count who is silent while another sounds, and nobody while all are', () => {
    const gap = room.slice()
    gap.fill(0, toFrames(400), toFrames(800))
    const paused = (sound: Float32Array) => joined(sound, silence(2_000))
    const of = readFrom([sessionOf([room, gap].map(paused))])
    expect(of('time with somebody alone silent')?.value).toBeCloseTo(20, 5)
    expect(of('longest time alone silent')?.value).toBe(400)
    expect(of('time torn or with other music')?.value).toBe(0)
  })
})

describe('the figures of sessions', () => {
  it('separate the first 20 s in which anybody sounds', () => {
    const of = readFrom([makeSession(60_000, (atMs) => (atMs < 20_000 ? 10 : 1))])
    expect(of('first 20 s p50')?.value).toBe(10)
    expect(of('skew p50')?.value).toBe(1)
    expect(of('skew p95')?.value).toBe(10)
  })

  it('pool the windows of several runs, and keep the figure of each', () => {
    const sessions = [1, 2, 9].map((lagMs) => makeSession(4_000, () => lagMs))
    const figure = readFrom(sessions, { goals: { p95Ms: 4 } })('skew p95')
    expect(figure).toEqual({ name: 'skew p95', unit: 'ms', value: 9, goal: 4, runs: [1, 2, 9] })
  })

  it('excuse the silence of somebody who joins until the first sound, and say how long it took', () => {
    const arrivals = [{ person: 1, leftMs: 1_000, openedMs: 2_000 }]
    // The page that is left sounds for one more window.
    const lagAt = (atMs: number) => {
      if (atMs > 1_040 && atMs < 2_800) return 'silent'
      return atMs >= 2_800 && atMs < 3_200 ? 30 : 0
    }
    const of = readFrom([makeSession(12_000, lagAt, { arrivals })])
    expect(of('time with somebody alone silent')?.value).toBe(0)
    expect(of('joined until it sounds, max')?.value).toBe(800)
    expect(of('joined within 5 ms, max')?.value).toBe(1_240)
    expect(of('time more than 20 ms apart')?.value).toBeGreaterThan(0)
  })

  it('excuse nobody who goes silent again, or who does not sound within 6 s', () => {
    const arrivals = [{ person: 1, leftMs: 1_000, openedMs: 1_000 }]
    const stutter = (atMs: number) => (atMs > 4_000 && atMs < 5_000 ? 'silent' : 0)
    const again = makeSession(
      10_000,
      (atMs) => (atMs < 1_000 ? 0 : atMs < 2_000 ? 'silent' : stutter(atMs)),
      {
        arrivals,
      },
    )
    expect(readFrom([again])('longest time alone silent')?.value).toBe(960)
    const never = readFrom([makeSession(10_000, (atMs) => (atMs < 1_000 ? 0 : 'silent'), { arrivals })])
    expect(never('longest time alone silent')?.value).toBe(3_000)
    expect(never('joins not in sync within 6 s')?.value).toBe(1)
  })

  it('compare the recorded skew with what the badges of those who sounded showed', () => {
    const badge = (atMs: number, person: number, shownMs: number | null) => ({ atMs, person, shownMs })
    const badges = [badge(500, 0, 1), badge(500, 1, null), badge(1_500, 0, 1), badge(1_500, 1, 900)]
    const session = makeSession(2_000, (atMs) => (atMs > 1_000 ? 'silent' : 3), { badges })
    const of = readFrom([session])
    expect(of('badge p95')?.value).toBe(1)
    expect(of('skew p95 beyond the badge p95')).toMatchObject({ value: 2, goal: 0 })
    expect(of('time of a badge without a figure')?.value).toBeCloseTo(100 / 3)
  })
})

describe('a badge', () => {
  it.each([
    ['Your sync: In sync · 4 ms', 4],
    ['Your sync: Correcting · 12 ms', 12],
    ['Your sync: In sync within 2.5 ms', 2.5],
    ['Your sync: Setting the clock', null],
  ])('%s shows %s ms', (text, shownMs) => {
    expect(parseBadge(text)).toBe(shownMs)
  })
})
