import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createBrowserPlayers } from './browser-players.ts'
import { createPlayerSlot } from './player-slot.ts'
import { SilentPlayer } from './testing/silent-player.ts'
import { createVideoSurface } from './youtube/video-surface.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

/** Answers each frame that is opened as its document would: `isBlocked` says whether it has the provider's script. */
function answerFrames(isBlocked: () => boolean) {
  const counts = { opened: 0 }
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLIFrameElement)) continue
      counts.opened += 1
      const providerReady = isBlocked() ? Promise.reject(new Error('Not loaded')) : Promise.resolve()
      Object.assign(node.contentWindow ?? {}, { providerReady })
      node.dispatchEvent(new Event('load'))
    }
  })
  observer.observe(document.body, { childList: true })
  onTestFinished(() => observer.disconnect())
  return counts
}

it('17.407 a blocked script of YouTube is asked for after a minute, then ever more rarely, and once it is there no more', async () => {
  let isBlocked = true
  const frames = answerFrames(() => isBlocked)
  const slot = createPlayerSlot({
    factory: {
      ...createBrowserPlayers(createVideoSurface()),
      create: () => Promise.resolve(new SilentPlayer()),
    },
    listenerReason: () => null,
    initialVolume: 1,
    onChange: () => undefined,
    onEvent: () => undefined,
    onMissingChange: () => undefined,
    onPlayableAgain: () => undefined,
  })
  const video = { id: 'v', source: 'youtube', title: 'v', artist: '', album: '', duration: 60_000 } as const
  const turn = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
      slot.require({ id: 'a', source: 'library' })
      slot.prepare({ ...video, albumArt: null, album_art: null }, null)
      await vi.advanceTimersByTimeAsync(5_000)
    }
  }
  await turn(5_000)
  await vi.waitFor(() => expect(frames.opened).toBe(1))
  await turn(50_000)
  expect(frames.opened).toBe(1)
  await turn(2 * 60 * 60_000)
  expect(frames.opened).toBeGreaterThan(5)
  expect(frames.opened).toBeLessThan(15)
  expect(document.querySelectorAll('iframe')).toHaveLength(0)
  isBlocked = false
  await turn(15 * 60_000)
  const { opened } = frames
  await turn(60 * 60_000)
  expect(frames.opened).toBe(opened)
})
