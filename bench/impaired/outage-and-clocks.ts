import { setTimeout as delay } from 'node:timers/promises'
import { describePairs, recordPairs, type PairSkew } from '../sound/recording.ts'
import { recordedMs } from '../sound/command-cycles.ts'
import type { Participant } from '../sound/test-room.ts'
import { summariseSkews } from '../sound/skew-figures.ts'
import type { Figure, Log } from '../measurement.ts'
import { goals, recordDisruption } from './scenarios.ts'
import type { ProxiedRoom } from './bad-network.ts'
import type { BrowserContext, Page } from '@playwright/test'

const offlineMs = 5_000
const hourMs = 3_600_000
const returnMs = 4_000

/** Measures an outage of 5 s of one listener's connection in mid-track. */
export async function measureOutage(proxied: ProxiedRoom, log: Log): Promise<Figure[]> {
  const [listener] = proxied.listeners
  const [proxy] = proxied.proxies
  if (!listener || !proxy) throw new Error('The test room has too few listeners')
  const { gapMs, pairs } = await recordDisruption(proxied, listener, async () => {
    proxy.setReachable(false)
    await delay(offlineMs)
    proxy.setReachable(true)
    await delay(returnMs)
  })
  log(`after ${offlineMs / 1_000} s offline, ms: ${describePairs(pairs)}; silent for ${gapMs}`)
  return toFigures(`after ${offlineMs / 1_000} s offline`, pairs, { gapMs, goal: goals.impairedMs })
}

/** Measures a listener whose system clock is an hour ahead, and one whose clock jumps by an hour in mid-track. */
export async function measureWrongClocks(proxied: ProxiedRoom, log: Log): Promise<Figure[]> {
  const [first, second] = proxied.listeners
  if (!first || !second) throw new Error('The test room has too few listeners')
  const shifted = await returnWithWrongClock(proxied, first)
  log(`a clock an hour ahead, ms: ${describePairs(shifted)}`)
  const jump = await recordDisruption(proxied, second, () => jumpDate(second.page, hourMs))
  log(`a clock set by an hour, ms: ${describePairs(jump.pairs)}; silent for ${jump.gapMs}`)
  return [
    ...toFigures('a clock an hour ahead', shifted, { goal: goals.cleanMs }),
    ...toFigures('a clock set by an hour', jump.pairs, { gapMs: jump.gapMs, goal: goals.cleanMs }),
  ]
}

async function returnWithWrongClock(proxied: ProxiedRoom, participant: Participant): Promise<PairSkew[]> {
  await participant.page.goto('about:blank')
  await shiftClock(participant.context, hourMs)
  await participant.page.goto(participant.roomUrl)
  await delay(returnMs)
  return await recordPairs(proxied, recordedMs)
}

function toFigures(name: string, pairs: PairSkew[], options: { gapMs?: number; goal: number }): Figure[] {
  const { gapMs, goal } = options
  return [
    { name: `${name}, worst skew`, unit: 'ms', value: summariseSkews(pairs).max, goal },
    ...(gapMs === undefined ? [] : [{ name: `${name}, silence`, unit: 'ms', value: gapMs } as const]),
  ]
}

/** Shifts the system clock of pages loaded from now on: `Date` and the time origin, by `ms`. */
export async function shiftClock(context: BrowserContext, ms: number): Promise<void> {
  await context.addInitScript((shiftMs) => {
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shiftMs })
    const now = Date.now.bind(Date)
    globalThis.Date = new Proxy(Date, {
      construct: (target, given: []) =>
        given.length === 0 ? new target(now() + shiftMs) : new target(...given),
      get: (target, key) => (key === 'now' ? () => now() + shiftMs : Reflect.get(target, key)),
    })
  }, ms)
}

/** Changes the system clock of a running page: the date jumps by `ms`, the monotonic clock does not. */
export async function jumpDate(page: Page, ms: number): Promise<void> {
  await page.evaluate((jumpMs) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + jumpMs
  }, ms)
}
