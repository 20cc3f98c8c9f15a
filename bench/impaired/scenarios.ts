import { setTimeout as delay } from 'node:timers/promises'
import { longestGapMs } from '@earshot/e2e/sound/recording'
import { hearAll, type HeardPair } from '../listening/all-pairs.ts'
import { recordedMs } from '../sound/command-cycles.ts'
import type { Gathering, Guest } from '../sound/test-room.ts'
import { recordAll } from '../sound/recording.ts'

export type Say = (line: string) => void

/** p95 of the skew where the network is bad, and where only a clock is wrong. */
export const goals = { impairedMs: 8, cleanMs: 2 }

const settleMs = 3_000

/** What somebody heard while something went wrong, and how everybody was after it. */
export interface Occasion {
  /** The longest silence in their sound, ms. */
  gapMs: number
  pairs: HeardPair[]
}

/** Somebody's sound while `work` runs and a while after it, and then everybody's. They must be playing. */
export async function hearThrough(
  gathering: Gathering,
  whom: Guest,
  work: () => Promise<unknown>,
): Promise<Occasion> {
  const { sound, owner, listeners } = gathering
  const recordings = await recordAll(sound, listeners.length + 1, async () => {
    await work()
    await delay(settleMs)
  })
  const place = [owner, ...listeners].indexOf(whom)
  const gapMs = longestGapMs(recordings[place] ?? new Float32Array())
  return { gapMs, pairs: await hearAll(gathering, recordedMs) }
}

/** Everybody who listens opens the room anew. */
export async function returnAll({ listeners }: Gathering): Promise<void> {
  for (const { page } of listeners) await page.goto('about:blank')
  for (const { page, roomUrl } of listeners) await page.goto(roomUrl)
  await delay(settleMs)
}
