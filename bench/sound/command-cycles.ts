import { setTimeout as delay } from 'node:timers/promises'
import { hearAll } from '../listening/all-pairs.ts'
import { pause, play, playNext, seekAhead } from '../listening/controls.ts'
import type { Gathering } from './test-room.ts'
import { note, type Tally } from './skew-figures.ts'

/** From a command to the recording, and how long that is. */
export const settleMs = 1_000
export const recordedMs = 2_500

/**
 * A start, a seek and a change of track for each title, which is the track that comes next; everybody is heard
 * `afterMs` after each. It begins and ends with a pause.
 */
export async function runCycles(
  gathering: Gathering,
  titles: string[],
  say: (line: string) => void,
  afterMs = settleMs,
): Promise<Tally> {
  const tally: Tally = new Map()
  const hear = async (occasion: string) => {
    await delay(afterMs)
    note(tally, occasion, await hearAll(gathering, recordedMs), say)
  }
  for (const title of titles) {
    await play(gathering)
    await hear('after a start')
    await seekAhead(gathering)
    await hear('after a seek')
    await playNext(gathering, title)
    await hear('after a change of track')
    await pause(gathering)
  }
  return tally
}
