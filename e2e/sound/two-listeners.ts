import { setTimeout as delay } from 'node:timers/promises'
import { test } from '@playwright/test'
import type { Recorder } from './recording/recorder.ts'
import { windowMs, type SessionWindow } from './skew/session-windows.ts'

/** How the first two people of a recording heard it. Times are ms. */
export interface HeardTogether {
  /** Both sounded the same at the same time. */
  togetherMs: number
  /** Both sounded, but not the same, or not at the same time. */
  apartMs: number
  /** One sounded alone. */
  aloneMs: number
  silentMs: number
  /** From the end of the recording backwards: how long they had been together without a break. */
  endsTogetherMs: number
}

/** Where listeners could notice it. */
const noticeableMs = 15

type State = keyof Omit<HeardTogether, 'endsTogetherMs'>

function stateOf({ sounding: [first, second], pairs }: SessionWindow): State {
  if (!first && !second) return 'silentMs'
  if (!first || !second) return 'aloneMs'
  const lagMs = pairs.find(({ between }) => between[0] === 0 && between[1] === 1)?.lagMs ?? null
  return lagMs !== null && Math.abs(lagMs) < noticeableMs ? 'togetherMs' : 'apartMs'
}

export function compareTwo(windows: SessionWindow[]): HeardTogether {
  const states = windows.map(stateOf)
  const of = (state: State) => states.filter((other) => other === state).length * windowMs
  return {
    togetherMs: of('togetherMs'),
    apartMs: of('apartMs'),
    aloneMs: of('aloneMs'),
    silentMs: of('silentMs'),
    endsTogetherMs: (states.length - 1 - states.findLastIndex((state) => state !== 'togetherMs')) * windowMs,
  }
}

/** Records both while `action` runs and for `ms` more, and prints what was heard. */
export async function hearTwo(
  recorder: Recorder,
  ms: number,
  action: () => Promise<unknown>,
): Promise<HeardTogether> {
  const stop = await recorder.start()
  await action()
  await delay(ms)
  const heard = compareTwo((await stop()).windows())
  console.log(`${test.info().title.slice(0, 70)}: ${JSON.stringify(heard)}`)
  return heard
}
