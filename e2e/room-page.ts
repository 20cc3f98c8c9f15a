import { expect, type Page } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from './app.ts'
import { stage } from './sound/recorder.ts'

/** What a server says of a room, and what pages show of its playback. */

export interface RoomFacts {
  listeners: number
  playback_state: Playback
}

/** Where the room was at an instant of the server's clock, which is this machine's. */
export interface Playback {
  is_playing: boolean
  current_position: number
  timestamp: number
  sequence_number: number
}

/** Reads a room over HTTP, as any visitor may. */
export async function readRoom(app: App, roomId: string): Promise<RoomFacts> {
  const response = await fetch(`${app.url}/api/rooms/${roomId}`)
  if (!response.ok) throw new Error(`No room: ${response.status} ${await response.text()}`)
  const { room } = (await response.json()) as { room: RoomFacts }
  return room
}

export async function readPlayback(app: App, roomId: string): Promise<Playback> {
  const { playback_state } = await readRoom(app, roomId)
  return playback_state
}

/** What a room's page showed at some instant between the two. */
export interface Shown {
  fromMs: number
  toMs: number
  /** Empty while there is no track. */
  title: string
  isPlaying: boolean
  positionMs: number
}

/** Reads a room's page; null while there is no room on it. */
export async function readShown(page: Page): Promise<Shown | null> {
  const fromMs = Date.now()
  const shown = await page.evaluate(() => {
    const stage = document.querySelector('#stage')
    const position = stage?.querySelector<HTMLInputElement>('input[aria-label="Position"]')
    if (!stage || !position) return null
    return {
      title: stage.querySelector('h3')?.textContent ?? '',
      isPlaying: stage.querySelector('button[aria-label="Pause"]') !== null,
      positionMs: Number(position.value),
    }
  })
  return shown && { fromMs, toMs: Date.now(), ...shown }
}

/** What is drawn is a frame old, and frames of a busy machine take their time. */
const maxDrawnLateMs = 500

/** The page showed this track, playing or paused as the room was, where the room was. */
export function expectOnTimeline(shown: Shown | null, title: string, playback: Playback): void {
  expect(shown).toMatchObject({ title, isPlaying: playback.is_playing })
  if (shown) expect(offTimelineMs(shown, playback)).toBeLessThan(maxDrawnLateMs)
}

/** How far what was shown is from the room's timeline, in ms. */
function offTimelineMs(shown: Shown, playback: Playback): number {
  const positionAt = (atMs: number) =>
    playback.current_position + (playback.is_playing ? Math.max(0, atMs - playback.timestamp) : 0)
  return Math.max(0, positionAt(shown.fromMs) - shown.positionMs, shown.positionMs - positionAt(shown.toMs))
}

/** A page of a busy machine takes its time to load, to measure the clock and to fall in. */
const patience = { timeout: 25_000 }

/** Opens a room's page under an address of the server, and waits until the room is on it. */
export async function openRoom(page: Page, serverUrl: string, roomId: string): Promise<void> {
  await page.goto(`${serverUrl}/room/${roomId}`)
  await expect(stage(page)).toBeVisible(patience)
}

/** Waits until a listener's badge says that the sound is where the room is. */
export async function waitUntilInSync(page: Page): Promise<void> {
  await expect(stage(page).getByText(/^In sync/)).toBeVisible(patience)
}

const lookEveryMs = 100

/** Looks at rooms' pages again and again while something happens, and says what was seen. */
export async function watchWhile(pages: Page[], happening: () => Promise<void>): Promise<(Shown | null)[]> {
  const seen: (Shown | null)[] = []
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      for (const page of pages) seen.push(await readShown(page))
      await delay(lookEveryMs)
    }
  }
  const end = () => {
    isOver = true
  }
  await Promise.all([happening().finally(end), watch()])
  return seen
}
