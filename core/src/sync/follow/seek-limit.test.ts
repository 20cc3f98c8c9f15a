import { expect, it } from 'vitest'
import { createFakePlayer, deviceOptions } from '../../testing/fake-player.ts'
import { inputOf, nowMs } from '../../testing/follow-inputs.ts'
import { follow } from './follow.ts'
import { initialFollowHistory } from './follow-state.ts'

const turnMs = 250
const minuteMs = 60_000
const runMs = 10 * minuteMs

/** A network that interrupts for 3 s, five times a minute. */
const stalls = Array.from({ length: runMs / 12_000 }, (_, index) => {
  const fromMs = nowMs + 10_000 + index * 12_000
  return { fromMs, untilMs: fromMs + 3_000 }
})

/** Plays ten minutes on a device that stalls, drifts and answers calls at random. Returns when it was moved. */
function watchRudeDevice(
  kind: 'element' | 'fineVideo' | 'coarseVideo' | 'streaming',
  seed: number,
): number[] {
  const rude = { driftPpm: 4_000, latencyJitterMs: 900, noiseMs: 80, stalls, seed }
  const player = createFakePlayer({ ...deviceOptions[kind], ...rude })
  const input = inputOf({ capabilities: player.capabilities })
  const timeline = { ...input.timeline, durationMs: 3_600_000 }
  let history = initialFollowHistory
  const movedAtMs: number[] = []
  for (let atMs = nowMs; atMs < nowMs + runMs; atMs += turnMs) {
    const now = { nowMs: atMs, sample: player.sample(atMs), loadedTrackId: player.loadedTrackId }
    const outcome = follow({ ...input, ...now, timeline, history })
    history = outcome.history
    player.apply(outcome.action, atMs)
    if (outcome.action.type === 'alignAt' || outcome.action.type === 'play') movedAtMs.push(atMs)
  }
  return movedAtMs
}

it('17.94 a player on a rude device is moved at most three times in any minute after its start', () => {
  for (const kind of ['element', 'fineVideo', 'coarseVideo', 'streaming'] as const) {
    for (const seed of [1, 2, 3, 4]) {
      const [, ...seeks] = watchRudeDevice(kind, seed)
      expect(seeks.length).toBeGreaterThan(0)
      const inMinuteFrom = (at: number) =>
        seeks.filter((other) => other >= at && other < at + minuteMs).length
      expect(Math.max(...seeks.map(inMinuteFrom))).toBeLessThanOrEqual(3)
    }
  }
})
