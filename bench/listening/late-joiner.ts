import { stage } from '@earshot/e2e/listening'
import { setTimeout as delay } from 'node:timers/promises'
import { joinedSince } from './all-pairs.ts'
import type { Gathering, Guest } from './gathering.ts'
import { recordAll } from './heard.ts'

/** Within this, whoever joined counts as in sync. */
export const inSyncMs = 5
const awayMs = 1_000
const watchedMs = 6_000

/** From the moment at which a listener's browser opens the room until it sounds in sync and stays so, ms. */
export async function timeJoin({ sound, owner, listeners }: Gathering, joiner: Guest): Promise<number> {
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
  const since = joinedSince(joined, others, inSyncMs)
  if (since !== null) return since
  const shown = await stage(joiner.page).innerText()
  throw new Error(`Whoever joined was not in sync after ${watchedMs} ms; the page shows: ${shown}`)
}
