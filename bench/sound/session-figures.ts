import type { Figure } from '../measurement.ts'
import { summarise } from '../report/statistics.ts'
import { findJoins, inSyncMs, isJoining, joinLimitMs, type Join } from './joining.ts'
import type { Session } from './session.ts'
import { maxLagMs, windowMs, type PairSkew, type Person } from '@earshot/e2e/sound/skew/session-windows'

/** Upper bounds, ms. */
interface SessionGoals {
  p95Ms?: number
  p99Ms?: number
  /** p95 of the first 20 s in which anybody sounds. */
  freshP95Ms?: number
  joinMs?: number
}

export interface FigureOptions {
  /** Begins each name. */
  name?: string
  goals?: SessionGoals
  /** The pairs to judge. Default: all. */
  isJudged?: (pair: PairSkew) => boolean
  /** The same figures of the baseline. */
  bestCase?: Session | undefined
}

const freshMs = 20_000
const apartMs = [5, 20, 50]
/** Nobody who sounds may ever be further apart, whatever the scenario. */
const neverApartMs = 50

/** A figure before goals and runs are added. */
type Value = Pick<Figure, 'name' | 'unit' | 'value' | 'goal'>

/** Makes the figures of several sessions as one, each with those of every session. */
export function sessionFigures(sessions: Session[], options: FigureOptions = {}): Figure[] {
  const prefix = options.name === undefined ? '' : `${options.name}, `
  const each = sessions.map((session) => judge([session], options))
  const bestCase = options.bestCase ? soundFigures([options.bestCase], options) : []
  return judge(sessions, options).map((figure) => {
    const of = (values: Value[]) => values.find(({ name }) => name === figure.name)?.value
    const baseline = of(bestCase)
    return {
      ...figure,
      name: prefix + figure.name,
      ...(sessions.length > 1 ? { runs: each.map((values) => of(values) ?? null) } : {}),
      ...(baseline === undefined ? {} : { baseline }),
    }
  })
}

const judge = (sessions: Session[], options: FigureOptions): Value[] => [
  ...soundFigures(sessions, options),
  ...badgeFigures(sessions, options),
  ...joinFigures(sessions.flatMap(findJoins), options),
]

function soundFigures(sessions: Session[], options: FigureOptions): Value[] {
  const { goals = {} } = options
  const lags = lagsOf(sessions, options)
  const fresh = lagsOf(sessions.map(firstSeconds), options)
  return [
    ...percentiles('skew', lags, { p95: goals.p95Ms, p99: goals.p99Ms }),
    ...apartMs.map((ms): Value => {
      const value = share(lags, (lagMs) => Math.abs(lagMs ?? Infinity) > ms)
      const name = `time more than ${ms} ms apart`
      return { name, unit: '%', value, ...(ms === neverApartMs ? { goal: 0 } : {}) }
    }),
    { name: 'time torn or with other music', unit: '%', value: share(lags, (lagMs) => lagMs === null) },
    ...silenceFigures(sessions),
    ...percentiles('first 20 s', fresh, { p95: goals.freshP95Ms }),
  ]
}

/** What the badges of those who sounded showed, and whether it covers what was recorded. */
function badgeFigures(sessions: Session[], options: FigureOptions): Value[] {
  const badges = sessions.flatMap(shownBadges)
  const shown = badges.filter((shownMs) => shownMs !== null)
  const lags = lagsOf(sessions, options)
  if (shown.length === 0 || lags.length === 0) return []
  const { p95 } = summarise(shown)
  const beyondMs = summarise(absolute(lags)).p95 - p95
  return [
    { name: 'badge p95', unit: 'ms', value: p95 },
    { name: 'skew p95 beyond the badge p95', unit: 'ms', value: Math.max(0, beyondMs), goal: 0 },
    { name: 'time of a badge without a figure', unit: '%', value: share(badges, (ms) => ms === null) },
  ]
}

/** The skew of every judged pair in every window; null where the two did not sound the same. */
const lagsOf = (sessions: Session[], { isJudged = () => true }: FigureOptions): (number | null)[] =>
  sessions.flatMap(({ windows }) =>
    windows.flatMap(({ pairs }) => pairs.filter(isJudged).map(({ lagMs }) => lagMs)),
  )

/** Different music is as far apart as is searched. */
const absolute = (lags: (number | null)[]): number[] => lags.map((lagMs) => Math.abs(lagMs ?? maxLagMs))

function percentiles(
  name: string,
  lags: (number | null)[],
  goals: { p95?: number | undefined; p99?: number | undefined },
): Value[] {
  if (lags.length === 0) return []
  const { p50, p95, p99, max } = summarise(absolute(lags))
  const withGoal = (goal: number | undefined) => (goal === undefined ? {} : { goal })
  return [
    { name: `${name} p50`, unit: 'ms', value: p50 },
    { name: `${name} p95`, unit: 'ms', value: p95, ...withGoal(goals.p95) },
    { name: `${name} p99`, unit: 'ms', value: p99, ...withGoal(goals.p99) },
    { name: `${name} max`, unit: 'ms', value: max },
  ]
}

/** Returns a share in per cent; 0 of nothing. */
function share<Item>(items: Item[], isMeant: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (items.filter(isMeant).length / items.length) * 100
}

/** The windows of the first seconds in which anybody sounds. */
function firstSeconds(session: Session): Session {
  const startMs = session.windows.find(({ sounding }) => sounding.includes(true))?.fromMs ?? 0
  return { ...session, windows: session.windows.filter(({ fromMs }) => fromMs < startMs + freshMs) }
}

/** Somebody is silent while others sound, other than by joining. */
interface Silence {
  person: Person
  fromMs: number
  forMs: number
}

/** Lists the times in which somebody was alone silent, in the order of their beginning. */
export function listSilences(session: Session): Silence[] {
  const silences: Silence[] = []
  const joins = findJoins(session)
  for (const { sounding, fromMs } of session.windows) {
    if (!sounding.includes(true)) continue
    for (const [person, sounds] of sounding.entries()) {
      if (sounds || isJoining(joins, person, fromMs)) continue
      const last = silences.findLast((silence) => silence.person === person)
      if (last && last.fromMs + last.forMs === fromMs) last.forMs += windowMs
      else silences.push({ person, fromMs, forMs: windowMs })
    }
  }
  return silences
}

/** How often somebody is alone silent, and the longest such time: never, is the goal. */
function silenceFigures(sessions: Session[]): Value[] {
  const silences = sessions.map(listSilences)
  const isSilent = (windowFromMs: number, of: Silence[]): boolean =>
    of.some(({ fromMs, forMs }) => windowFromMs >= fromMs && windowFromMs < fromMs + forMs)
  const silent = sessions.flatMap(({ windows }, index) =>
    windows
      .filter(({ sounding }) => sounding.includes(true))
      .map(({ fromMs }) => isSilent(fromMs, silences[index] ?? [])),
  )
  return [
    { name: 'time with somebody alone silent', unit: '%', value: share(silent, Boolean), goal: 0 },
    {
      name: 'longest time alone silent',
      unit: 'ms',
      value: Math.max(0, ...silences.flat().map(({ forMs }) => forMs)),
      goal: 0,
    },
  ]
}

function shownBadges({ windows, badges }: Session): (number | null)[] {
  return badges.flatMap(({ atMs, person, shownMs }) => {
    const window = windows[Math.floor(atMs / windowMs)]
    return window?.sounding[person] ? [shownMs] : []
  })
}

/** Counts a join that never was in sync with the whole observed time. */
function joinFigures(joins: Join[], { goals: { joinMs } = {} }: FigureOptions): Value[] {
  if (joins.length === 0) return []
  const sounds = summarise(joins.map(({ soundsAfterMs }) => soundsAfterMs ?? joinLimitMs))
  const inSync = summarise(joins.map(({ inSyncAfterMs }) => inSyncAfterMs ?? joinLimitMs))
  const missed = joins.filter(({ inSyncAfterMs }) => inSyncAfterMs === null)
  return [
    { name: 'joined until it sounds, p50', unit: 'ms', value: sounds.p50 },
    { name: 'joined until it sounds, max', unit: 'ms', value: sounds.max },
    {
      name: `joined within ${inSyncMs} ms, p50`,
      unit: 'ms',
      value: inSync.p50,
      ...(joinMs === undefined ? {} : { goal: joinMs }),
    },
    { name: `joined within ${inSyncMs} ms, max`, unit: 'ms', value: inSync.max },
    { name: `joins not in sync within ${joinLimitMs / 1_000} s`, unit: '', value: missed.length },
  ]
}
