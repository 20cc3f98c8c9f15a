import { setTimeout as delay } from 'node:timers/promises'
import { longestGapMs } from '@earshot/e2e/sound/recording'
import { recordPairs, type PairSkew, recordAll } from '../sound/recording.ts'
import { recordedMs } from '../sound/command-cycles.ts'
import type { TestRoom, Participant } from '../sound/test-room.ts'

/** p95 of the skew where the network is bad, and where only a clock is wrong. */
export const goals = { impairedMs: 8, cleanMs: 2 }

const settleMs = 3_000

/** The effect of a disruption on a listener, and the skews after it. */
export interface Disruption {
  /** The longest silence in the listener's sound, ms. */
  gapMs: number
  pairs: PairSkew[]
}

/** Records one participant during `work` and some seconds after, then all. They must be playing. */
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

/** Reopens the room in every listener's browser. */
export async function rejoinAll({ listeners }: TestRoom): Promise<void> {
  for (const { page } of listeners) await page.goto('about:blank')
  for (const { page, roomUrl } of listeners) await page.goto(roomUrl)
  await delay(settleMs)
}
