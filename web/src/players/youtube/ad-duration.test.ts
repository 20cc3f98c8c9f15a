// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PlayerEvent } from '../player.ts'
import { makeVideo, openVideoPlayer } from '../testing/fake-youtube.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

describe('15.141 a duration that may be that of an advertisement', () => {
  const durationsOf = (events: PlayerEvent[]) =>
    events.flatMap((event) => (event.type === 'duration' ? event.durationMs / 1_000 : []))
  const start = async (knownMs: number) => {
    const opened = openVideoPlayer()
    void opened.player.load({ ...makeVideo('a'), duration: knownMs }, 0)
    await opened.becomeReady()
    void opened.player.play(0, 0)
    opened.youtube().report(1)
    return { ...opened, durations: () => durationsOf(opened.events) }
  }

  it.each([
    ['is shorter than the known one', 60_000],
    ['is as short as one, of a video whose duration is unknown', 180_000],
  ])('15.141 is not reported where it %s', async (_case, knownMs) => {
    const { youtube, player, durations } = await start(knownMs)
    youtube().duration = 15
    await vi.advanceTimersByTimeAsync(16_000)
    expect(durations()).toEqual([])
    youtube().duration = 215
    await vi.advanceTimersByTimeAsync(2_000)
    expect(durations()).toEqual([215])
    player.dispose()
  })

  it('15.141 is reported once the video has ended there', async () => {
    const { youtube, player, durations } = await start(60_000)
    youtube().duration = 15
    await vi.advanceTimersByTimeAsync(14_000)
    expect(durations()).toEqual([])
    youtube().report(0)
    expect(durations()).toEqual([15])
    player.dispose()
  })

  it('15.141 is reported again where a longer one turns out to be an advertisement’s', async () => {
    const { youtube, player, durations } = await start(180_000)
    youtube().duration = 90
    await vi.advanceTimersByTimeAsync(4_000)
    youtube().duration = 215
    await vi.advanceTimersByTimeAsync(4_000)
    expect(durations()).toEqual([90, 215])
    player.dispose()
  })
})
