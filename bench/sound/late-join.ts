import { setTimeout as delay } from 'node:timers/promises'
import type { Figure, Log } from '../measurement.ts'
import { summarise } from '../report/statistics.ts'
import { joinedSince, recordAll } from './recording.ts'
import type { TestRoom, Participant } from './test-room.ts'

/** A joined browser within this skew counts as in sync. */
export const inSyncMs = 5
const awayMs = 1_000
const watchedMs = 6_000

/** Times from opening the room to being in sync, ms, and the number of joins that never were. */
export interface Joins {
  joinedMs: number[]
  missed: number
}

/** Times each listener's joins in mid-track, in turn. All browsers must be playing. */
export async function timeJoins(testRoom: TestRoom, timesEach: number, log: Log): Promise<Joins> {
  const joins: Joins = { joinedMs: [], missed: 0 }
  for (let time = 0; time < timesEach; time += 1) {
    for (const joiner of testRoom.listeners) {
      const ms = await timeJoin(testRoom, joiner)
      if (ms === null) joins.missed += 1
      else joins.joinedMs.push(ms)
      log(`joined in mid-track, ms: ${ms === null ? `not in sync within ${watchedMs}` : ms.toFixed(0)}`)
    }
  }
  return joins
}

/** Counts a join that never was in sync with the whole observed time. */
export function joinFigures(name: string, { joinedMs, missed }: Joins, goalMs?: number): Figure[] {
  const all = summarise([...joinedMs, ...Array.from({ length: missed }, () => watchedMs)])
  const title = `${name} within ${inSyncMs} ms`
  return [
    { name: `${title}, p50`, unit: 'ms', value: all.p50, ...(goalMs === undefined ? {} : { goal: goalMs }) },
    { name: `${title}, max`, unit: 'ms', value: all.max },
    { name: `${title}, not within ${watchedMs / 1_000} s, of ${all.count}`, unit: '', value: missed },
  ]
}

/** Times a join from opening the room until the sound stays in sync, ms; null where it never does. */
async function timeJoin({ sound, owner, listeners }: TestRoom, joiner: Participant): Promise<number | null> {
  await joiner.page.goto('about:blank')
  await delay(awayMs)
  const recordings = await recordAll(sound, listeners.length + 1, async () => {
    const opened = joiner.page.goto(joiner.roomUrl)
    await delay(watchedMs)
    await opened
  })
  const place = [owner, ...listeners].indexOf(joiner)
  const joined = recordings[place] ?? new Float32Array()
  const others = recordings.filter((_, person) => person !== place)
  return joinedSince(joined, others, inSyncMs)
}
