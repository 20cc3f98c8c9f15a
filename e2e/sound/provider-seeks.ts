import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import type {} from '@earshot/provider-doubles/youtube/player/embed-page'
import type { Page } from '@playwright/test'

/** The most that each listener's player may be moved in a minute. */
const maxSeeksPerMinute = 3

export const maxSeeks = (ms: number): number => maxSeeksPerMinute * Math.max(1, Math.floor(ms / 60_000))

/** Returns how many seeks a page's video player was asked for, as its frame counted them. */
export async function countVideoSeeks(page: Page): Promise<number> {
  const frame = page.frames().find((each) => each.url().includes('/embed/'))
  if (!frame) throw new Error('There is no video player')
  return frame.evaluate(() => youtubeDouble.player.seeks)
}

/**
 * Returns how often each Spotify device went on after a pause since an instant, as it reported to its server: a player that
 * follows the room pauses, seeks and resumes.
 */
export function countResumes({ calls }: SpotifyDouble, sinceMs: number): number[] {
  const devices = new Map<string, { isPaused: boolean; resumes: number }>()
  for (const { at, path, body } of calls) {
    const id = /^\/sdk\/devices\/([^/]+)\/state$/.exec(path)?.[1]
    if (id === undefined) continue
    const { paused: isPaused } = JSON.parse(body) as { paused: boolean }
    const before = devices.get(id)
    const isResumed = before?.isPaused === true && !isPaused && at >= sinceMs
    devices.set(id, { isPaused, resumes: (before?.resumes ?? 0) + (isResumed ? 1 : 0) })
  }
  return [...devices.values()].map(({ resumes }) => resumes)
}
