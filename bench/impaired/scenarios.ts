import { setTimeout as delay } from 'node:timers/promises'
import { longestGapMs } from '@earshot/e2e/sound/recording'
import { recordPairs, type PairSkew, recordAll } from '../sound/recording.ts'
import { recordedMs } from '../sound/command-cycles.ts'
import type { TestRoom, Participant } from '../sound/test-room.ts'

export type Log = (line: string) => void

/** p95 of the skew where the network is bad, and where only a clock is wrong. */
export const goals = { impairedMs: 8, cleanMs: 2 }

const settleMs = 3_000

/** What somebody heard while something went wrong, and how everybody was after it. */
export interface Disruption {
  /** The longest silence in their sound, ms. */
  gapMs: number
  pairs: PairSkew[]
}

/** Somebody's sound while `work` runs and a while after it, and then everybody's. They must be playing. */
export async function recordDisruption(
  testRoom: TestRoom,
  participant: Participant,
  work: () => Promise<unknown>,
): Promise<Disruption> {
  const { sound, owner, listeners } = testRoom
  const recordings = await recordAll(sound, listeners.length + 1, async () => {
    await work()
    await delay(settleMs)
  })
  const place = [owner, ...listeners].indexOf(participant)
  const gapMs = longestGapMs(recordings[place] ?? new Float32Array())
  return { gapMs, pairs: await recordPairs(testRoom, recordedMs) }
}

/** Everybody who listens opens the room anew. */
export async function rejoinAll({ listeners }: TestRoom): Promise<void> {
  for (const { page } of listeners) await page.goto('about:blank')
  for (const { page, roomUrl } of listeners) await page.goto(roomUrl)
  await delay(settleMs)
}
