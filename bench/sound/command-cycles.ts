import { setTimeout as delay } from 'node:timers/promises'
import { recordPairs } from './recording.ts'
import { addSkews, type SkewsByCondition } from './skew-figures.ts'
import { nowPlaying, press } from '@earshot/e2e/room-page'
import type { TestRoom } from './test-room.ts'
import type { Log } from '../measurement.ts'

/** From a command to its recording, and the recording's length. */
export const settleMs = 1_000
export const recordedMs = 2_500

/**
 * Runs a start, a seek and a change of track for each title, which is the next track, and records all browsers
 * `afterMs` after each. It begins and ends with a pause.
 */
export async function runCycles(
  testRoom: TestRoom,
  titles: string[],
  log: Log,
  afterMs = settleMs,
): Promise<SkewsByCondition> {
  const skews: SkewsByCondition = new Map()
  const hear = async (condition: string) => {
    await delay(afterMs)
    addSkews(skews, condition, await recordPairs(testRoom, recordedMs), log)
  }
  for (const title of titles) {
    await play(testRoom)
    await hear('after a start')
    await seekAhead(testRoom)
    await hear('after a seek')
    await playNext(testRoom, title)
    await hear('after a change of track')
    await pause(testRoom)
  }
  return skews
}

/** Presses play as the owner; resolves when every listener's page shows it. */
export async function play({ owner, listeners }: TestRoom): Promise<void> {
  await press(owner.page, 'Play')
  await seeButton(listeners, 'Pause')
}

/** Presses pause as the owner; resolves when every listener's page shows it. */
export async function pause({ owner, listeners }: TestRoom): Promise<void> {
  await press(owner.page, 'Pause')
  await seeButton(listeners, 'Play')
}

/** Seeks 5 s ahead as the owner, with the arrow key on the progress bar. */
export async function seekAhead({ owner }: TestRoom): Promise<void> {
  const bar = nowPlaying(owner.page).getByRole('slider', { name: 'Position' })
  await bar.focus()
  await bar.press('ArrowRight')
}

/** Skips to the next track; resolves when every page shows it. */
export async function playNext({ owner, listeners }: TestRoom, title: string): Promise<void> {
  await press(owner.page, 'Next track')
  for (const { page } of [owner, ...listeners]) {
    await nowPlaying(page).getByRole('heading', { name: title, exact: true }).waitFor()
  }
}

async function seeButton(listeners: TestRoom['listeners'], name: string): Promise<void> {
  for (const { page } of listeners)
    await nowPlaying(page).getByRole('button', { name, exact: true }).waitFor()
}
