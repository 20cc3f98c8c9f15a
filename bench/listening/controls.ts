import { nowPlaying, press } from '@earshot/e2e/room-page'
import type { Gathering } from '../sound/test-room.ts'

/** The owner plays with their own button; resolves when every listener's page shows that it plays. */
export async function play({ owner, listeners }: Gathering): Promise<void> {
  await press(owner.page, 'Play')
  await seeButton(listeners, 'Pause')
}

/** The owner pauses; resolves when every listener's page shows it. */
export async function pause({ owner, listeners }: Gathering): Promise<void> {
  await press(owner.page, 'Pause')
  await seeButton(listeners, 'Play')
}

/** The owner seeks 5 s ahead with the arrow key on their progress bar. */
export async function seekAhead({ owner }: Gathering): Promise<void> {
  const bar = nowPlaying(owner.page).getByRole('slider', { name: 'Position' })
  await bar.focus()
  await bar.press('ArrowRight')
}

/** The owner goes on to the next track; resolves when everybody's page shows it. */
export async function playNext({ owner, listeners }: Gathering, title: string): Promise<void> {
  await press(owner.page, 'Next track')
  for (const { page } of [owner, ...listeners]) {
    await nowPlaying(page).getByRole('heading', { name: title, exact: true }).waitFor()
  }
}

async function seeButton(listeners: Gathering['listeners'], name: string): Promise<void> {
  for (const { page } of listeners)
    await nowPlaying(page).getByRole('button', { name, exact: true }).waitFor()
}
