import { setTimeout as delay } from 'node:timers/promises'
import { describePairs, hearAll, type HeardPair } from '../listening/all-pairs.ts'
import { recordedMs } from '../sound/command-cycles.ts'
import type { Guest } from '../sound/test-room.ts'
import { summariseSkews } from '../sound/skew-figures.ts'
import type { Figure } from '../measurement.ts'
import { goals, hearThrough, type Say } from './scenarios.ts'
import type { Proxied } from './bad-network.ts'
import { jumpDate, shiftClock } from './wrong-clock.ts'

const offlineMs = 5_000
const hourMs = 3_600_000
const returnMs = 4_000

/** One listener loses the server for 5 s and finds it again, in mid-track. */
export async function measureOutage(proxied: Proxied, say: Say): Promise<Figure[]> {
  const [listener] = proxied.listeners
  const [proxy] = proxied.proxies
  if (!listener || !proxy) throw new Error('Nobody listens')
  const { gapMs, pairs } = await hearThrough(proxied, listener, async () => {
    proxy.setReachable(false)
    await delay(offlineMs)
    proxy.setReachable(true)
    await delay(returnMs)
  })
  say(`after ${offlineMs / 1_000} s offline, ms: ${describePairs(pairs)}; silent for ${gapMs}`)
  return toFigures(`after ${offlineMs / 1_000} s offline`, pairs, { gapMs, goal: goals.impairedMs })
}

/** One listener comes with a clock that is an hour ahead; the other's is set by an hour while they listen. */
export async function measureWrongClocks(proxied: Proxied, say: Say): Promise<Figure[]> {
  const [first, second] = proxied.listeners
  if (!first || !second) throw new Error('Nobody listens')
  const shifted = await returnWithWrongClock(proxied, first)
  say(`a clock an hour ahead, ms: ${describePairs(shifted)}`)
  const jump = await hearThrough(proxied, second, () => jumpDate(second.page, hourMs))
  say(`a clock set by an hour, ms: ${describePairs(jump.pairs)}; silent for ${jump.gapMs}`)
  return [
    ...toFigures('a clock an hour ahead', shifted, { goal: goals.cleanMs }),
    ...toFigures('a clock set by an hour', jump.pairs, { gapMs: jump.gapMs, goal: goals.cleanMs }),
  ]
}

async function returnWithWrongClock(proxied: Proxied, whom: Guest): Promise<HeardPair[]> {
  await whom.page.goto('about:blank')
  await shiftClock(whom.context, hourMs)
  await whom.page.goto(whom.roomUrl)
  await delay(returnMs)
  return await hearAll(proxied, recordedMs)
}

function toFigures(name: string, pairs: HeardPair[], options: { gapMs?: number; goal: number }): Figure[] {
  const { gapMs, goal } = options
  return [
    { name: `${name}, worst skew`, unit: 'ms', value: summariseSkews(pairs).max, goal },
    ...(gapMs === undefined ? [] : [{ name: `${name}, silence`, unit: 'ms', value: gapMs } as const]),
  ]
}
