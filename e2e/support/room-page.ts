import { expect, type Locator, type Page } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import { queueByTitle, type Playback } from './rooms.ts'

/** The room page: its sections by their accessible names, and the position it shows. */

export const region = (page: Page, name: string): Locator => page.getByRole('region', { name })
export const nowPlaying = (page: Page): Locator => region(page, 'Now Playing')

/** Presses a button of the "Now Playing" section. */
export const press = (page: Page, name: string): Promise<void> =>
  nowPlaying(page).getByRole('button', { name, exact: true }).click()

/** Shows a part of the room's rail. */
export const openTab = (page: Page, name: 'Queue' | 'Find Music' | 'Chat'): Promise<void> =>
  page.getByRole('tab', { name }).click()

/** Opens the list of the members, and returns it. */
export async function openMembers(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /\d members?$/ }).click()
  return region(page, 'Room Members')
}

/** Leaves the room; the page is then home. */
export const leaveRoom = (page: Page): Promise<void> => press(page, 'Leave')

/** For a busy machine: loading the page, measuring the clock and catching up with the room all take time. */
const patience = { timeout: 60_000 }

/** Opens a room's page under an address of the server and waits until the room is shown. */
export async function openRoom(page: Page, serverUrl: string, roomId: string): Promise<void> {
  await page.goto(`${serverUrl}/room/${roomId}`)
  // The page itself looks more often than an expectation, which does so twice a second.
  await page.waitForFunction(() => document.querySelector('#stage') !== null, null, {
    polling: 50,
    ...patience,
  })
  await expect(nowPlaying(page)).toBeVisible(patience)
}

/** Waits until the listener's badge reports "In sync". */
export async function waitUntilInSync(page: Page): Promise<void> {
  await expect(nowPlaying(page).getByText(/^In sync/)).toBeVisible(patience)
}

/** Adds the first `count` tracks of the library to the room of a page: the first one with its button, the others by call. */
export async function addFirstTracks(page: Page, count: number): Promise<void> {
  await pressAddFirstTracks(page, 1)
  const { origin, pathname } = new URL(page.url())
  const found = region(page, 'Find Music').getByLabel(addLabel)
  await expect(found.nth(count - 1)).toBeVisible(patience)
  // One after the other: of all at once, Playwright would ask the page what old browsers do not know.
  const titles: string[] = []
  for (let index = 1; index < count; index += 1) {
    titles.push(titleIn(await found.nth(index).getAttribute('aria-label')))
  }
  const roomId = pathname.slice('/room/'.length)
  await queueByTitle({ url: origin, publicUrl: origin }, page.request, roomId, titles)
}

/** Labels of the buttons that add a track. */
const addLabel = /^Add (.*) to the queue$/
const titleIn = (label: string | null): string => addLabel.exec(label ?? '')?.[1] ?? ''

/** Adds the first `count` tracks of the library with the page's own buttons, each once the server has the one before. */
export async function pressAddFirstTracks(page: Page, count: number): Promise<void> {
  await openTab(page, 'Find Music')
  const buttons = region(page, 'Find Music').getByRole('button')
  const found = buttons.and(page.getByLabel(addLabel))
  // The server's scan has found them.
  await expect(found.nth(count - 1)).toBeVisible(patience)
  for (let index = 0; index < count; index += 1) {
    const label = (await found.nth(index).getAttribute('aria-label')) ?? ''
    // By name: a scan that is still under way moves the tracks.
    await buttons
      .and(page.getByLabel(label, { exact: true }))
      .first()
      .click()
    await expect(page.getByText(`"${titleIn(label)}" added to queue`).first()).toBeVisible(patience)
  }
}

/** The playback shown on a room's page at some instant between `fromMs` and `toMs`. */
export interface ShownPlayback {
  fromMs: number
  toMs: number
  /** Empty without a track. */
  title: string
  isPlaying: boolean
  positionMs: number
}

/** Reads the playback that a page shows; null while it shows no room. */
export async function readShownPlayback(page: Page): Promise<ShownPlayback | null> {
  const fromMs = Date.now()
  const shown = await page.evaluate(() => {
    const stage = document.querySelector('#stage')
    const position = stage?.querySelector<HTMLInputElement>('input[aria-label="Position"]')
    const share = position?.closest<HTMLElement>('[style*="--share"]')?.style.getPropertyValue('--share')
    if (!stage || !position) return null
    return {
      title: stage.querySelector('h3')?.textContent ?? '',
      isPlaying: stage.querySelector('button[aria-label="Pause"]') !== null,
      positionMs: Number(share) * Number(position.max),
    }
  })
  return shown && { fromMs, toMs: Date.now(), ...shown }
}

/** The drawn position is a frame old, and a busy machine drops frames. */
const maxDrawnLateMs = 500

/** Expects the page to have shown this track at the room's position, playing or paused as the room was. */
export function expectOnTimeline(
  shown: ShownPlayback | null,
  title: string,
  playback: Playback,
  withinMs = maxDrawnLateMs,
): void {
  expect(shown).toMatchObject({ title, isPlaying: playback.is_playing })
  if (shown) expect(timelineErrorMs(shown, playback)).toBeLessThan(withinMs)
}

function timelineErrorMs(shown: ShownPlayback, playback: Playback): number {
  const positionAt = (atMs: number) =>
    playback.current_position + (playback.is_playing ? Math.max(0, atMs - playback.timestamp) : 0)
  return Math.max(0, positionAt(shown.fromMs) - shown.positionMs, shown.positionMs - positionAt(shown.toMs))
}

const sampleEveryMs = 100

/** Samples the playback that pages show while `action` runs. */
export async function samplePlaybackWhile(
  pages: Page[],
  action: () => Promise<void>,
): Promise<(ShownPlayback | null)[]> {
  const samples: (ShownPlayback | null)[] = []
  let isOver = false
  const sample = async () => {
    while (!isOver) {
      for (const page of pages) samples.push(await readShownPlayback(page))
      await delay(sampleEveryMs)
    }
  }
  const end = () => {
    isOver = true
  }
  await Promise.all([action().finally(end), sample()])
  return samples
}

/** Keeps notices on a page: their time stands still while its window has no focus. */
export const holdNotices = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const blur = () => window.dispatchEvent(new Event('blur'))
    const shown = { childList: true, subtree: true, attributeFilter: ['data-starting-style'] }
    new MutationObserver(blur).observe(document.body, shown)
    // Their time goes on with any focus, which is noted a turn later.
    window.addEventListener('focus', () => setTimeout(blur, 50), true)
  })
