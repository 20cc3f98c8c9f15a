import { nowPlaying, press } from '@earshot/e2e/support/room-page'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningSession } from './session.ts'
import type { TestRoom } from './test-room.ts'

/** The queue that the scripts below play through. */
export const tracks = [
  { title: 'Noise 1', seconds: 90 },
  { title: 'Noise 2', seconds: 120 },
]

/**
 * A session in which everything happens: 20 s from the first second of fresh pages, then a seek, a change of track, a
 * pause, a start, and each listener who joins in mid-track.
 */
export async function playEverything(session: RunningSession): Promise<void> {
  await play(session)
  await delay(20_000)
  await seekAhead(session)
  await delay(4_000)
  await playNext(session, 'Noise 2')
  await delay(6_000)
  await pause(session)
  await delay(1_000)
  await play(session)
  await delay(4_000)
  for (const listener of session.listeners) {
    await session.reopen(listener, 500)
    await delay(6_000)
  }
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
