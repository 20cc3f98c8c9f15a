import { describe, expect, it } from 'vitest'
import {
  addVideoPosition,
  initialVideoProgress,
  notePause,
  noteSeek,
  type VideoProgress,
} from './video-progress.ts'

/** Adds a position every 250 ms. */
function play(
  progress: VideoProgress,
  fromMs: number,
  untilMs: number,
  positionAt: (atMs: number) => number,
) {
  let current = progress
  for (let atMs = fromMs; atMs <= untilMs; atMs += 250)
    current = addVideoPosition(current, atMs, positionAt(atMs))
  return current
}

describe('15.18 a video that reports playing', () => {
  it('15.18 is not interrupted while its position advances', () => {
    const seeked = noteSeek(10_000, 0)
    expect(play(seeked, 300, 10_000, (atMs) => 10_000 + atMs - 300).isInterrupted).toBe(false)
  })

  it('15.18 is interrupted while its position stands still, until it moves', () => {
    const still = play(initialVideoProgress, 0, 2_500, () => 5_000)
    expect(still.isInterrupted).toBe(true)
    expect(play(still, 2_750, 3_500, (atMs) => 5_000 + atMs - 2_500).isInterrupted).toBe(false)
  })

  it('15.18 is interrupted where a seek has no effect, until its position jumps', () => {
    const ignored = play(noteSeek(60_000, 0), 0, 3_000, (atMs) => 1_000 + atMs)
    expect(ignored.isInterrupted).toBe(true)
    const later = play(ignored, 3_250, 6_000, (atMs) => 1_000 + atMs)
    expect(later.isInterrupted).toBe(true)
    expect(addVideoPosition(later, 6_250, 60_100).isInterrupted).toBe(false)
  })

  it('15.18 is judged anew after a pause, which may hide the jump, and after 30 s', () => {
    const ignored = play(noteSeek(60_000, 0), 0, 3_000, (atMs) => 1_000 + atMs)
    const resumed = play(notePause(ignored, 3_100), 3_300, 3_600, (atMs) => atMs - 3_200)
    expect(resumed.isInterrupted).toBe(false)
    const long = play(ignored, 3_250, 32_000, (atMs) => 1_000 + atMs)
    expect(long.isInterrupted).toBe(true)
    expect(play(long, 32_250, 33_000, (atMs) => 1_000 + atMs).isInterrupted).toBe(false)
  })

  it('15.18 is interrupted for a moment where its position falls back by itself, at the end of an ad', () => {
    const ad = play(noteSeek(0, 0), 300, 5_000, (atMs) => atMs - 300)
    expect(ad.isInterrupted).toBe(false)
    const ended = addVideoPosition(ad, 5_250, 50)
    expect(ended.isInterrupted).toBe(true)
    expect(addVideoPosition(ended, 5_500, 300).isInterrupted).toBe(false)
    expect(addVideoPosition(notePause(ad, 5_100), 5_400, 50).isInterrupted).toBe(true)
  })

  it('15.18 is not interrupted by a seek of our own', () => {
    const before = play(initialVideoProgress, 0, 5_000, (atMs) => 60_000 + atMs)
    const seeked = { ...noteSeek(1_000, 5_100), last: before.last }
    expect(addVideoPosition(seeked, 5_250, 1_100).isInterrupted).toBe(false)
  })

  it('15.18 has time to buffer after a seek', () => {
    const buffering = notePause(
      play(noteSeek(60_000, 0), 0, 250, () => 1_000),
      5_000,
    )
    expect(play(buffering, 5_250, 9_000, (atMs) => 60_000 + atMs - 5_250).isInterrupted).toBe(false)
  })
})
