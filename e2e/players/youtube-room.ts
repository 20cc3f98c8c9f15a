import { expect, type FrameLocator, type Page } from '@playwright/test'
import type { App } from '../support/app.ts'
import type { Person } from '../support/fixtures.ts'
import { readPlayback } from '../support/rooms.ts'

/** Adds a video to a room's queue by its link. */
export async function addVideo(
  app: App,
  { context }: Pick<Person, 'context'>,
  roomId: string,
  videoId: string,
): Promise<void> {
  const headers = { origin: app.publicUrl }
  const url = `https://www.youtube.com/watch?v=${videoId}`
  const links = await context.request.post(`${app.url}/api/links`, { headers, data: { url } })
  if (!links.ok()) throw new Error(`Not found: ${links.status()} ${await links.text()}`)
  const added = await context.request.post(`${app.url}/api/rooms/${roomId}/queue`, {
    headers,
    data: { trackId: `youtube:${videoId}` },
  })
  if (!added.ok()) throw new Error(`Not added: ${added.status()} ${await added.text()}`)
}

/** The frame of the player itself, inside the document that loads the provider's script. */
export const playerFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[src="/players/youtube"]').frameLocator('iframe')

/** State of the media of the player: read from its element, not from what the player states. */
export interface MediaFacts {
  positionMs: number
  atMs: number
  isPaused: boolean
  rate: number
}

/** Reads the position of the playing media; null while there is no player. */
export async function readMedia(page: Page): Promise<MediaFacts | null> {
  for (const frame of page.frames()) {
    if (!frame.url().includes('/embed/')) continue
    return frame.evaluate(() => {
      const media = document.querySelector('video')
      if (!media) return null
      return {
        positionMs: media.currentTime * 1_000,
        atMs: Date.now(),
        isPaused: media.paused,
        rate: media.playbackRate,
      }
    })
  }
  return null
}

/** How far a page's media is from the room's timeline, in ms; null while it does not play. */
async function errorMs(app: App, roomId: string, page: Page): Promise<number | null> {
  const playback = await readPlayback(app, roomId)
  const media = await readMedia(page)
  if (!media || media.isPaused || !playback.is_playing) return null
  return media.positionMs - (playback.current_position + media.atMs - playback.timestamp)
}

/** Waits until a page's media is where the room is. */
export async function expectOnTimeline(app: App, roomId: string, page: Page, withinMs = 150): Promise<void> {
  await expect
    .poll(async () => Math.abs((await errorMs(app, roomId, page)) ?? Infinity), { timeout: 60_000 })
    .toBeLessThan(withinMs)
}
