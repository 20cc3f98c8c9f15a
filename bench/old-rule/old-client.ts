import { limits } from '@earshot/core/limits'
import { estimatePosition } from '@earshot/core/sync/timeline'
import type { Clock } from '@earshot/core/clock'
import { createClientClock } from '@earshot/core/testing/client-clock'
import { createFakePlayer } from '@earshot/core/testing/fake-player'
import type { PersonOptions } from '@earshot/core/testing/simulation'

/** The owner's message under the old rule: the player's position at a time of the owner's system clock. */
export interface OldState {
  isPlaying: boolean
  positionMs: number
  timestampMs: number
  sequenceNumber: number
}

/** A player under the old rule, which compares positions by unsynchronised system clocks. */
export interface OldClient {
  play(): void
  pause(): void
  seek(positionMs: number): void
  /** Returns the message that an owner broadcasts. */
  state(sequenceNumber: number): OldState
  /** Applies an owner's message as a listener. A listener that just joined starts at 0. */
  follow(state: OldState, isJoin: boolean): void
  soundingAt(): number | null
}

export function createOldClient(trueClock: Clock, options: PersonOptions): OldClient {
  const systemClock = createClientClock(trueClock, options)
  const player = createFakePlayer({ ...options.device, seed: options.seed })
  const now = (): number => systemClock.now()
  player.apply({ type: 'load', trackId: 'track', positionMs: 0 }, now())
  const positionMs = (): number => player.sample(now())?.positionMs ?? 0
  const isPlaying = (): boolean => player.sample(now())?.status === 'playing'
  const start = (fromMs: number): void =>
    player.apply({ type: 'play', positionMs: fromMs, atClientMs: now() }, now())
  const stand = (atMs: number): void =>
    player.apply({ type: 'pause', positionMs: atMs, atClientMs: now() }, now())
  const seek = (toMs: number): void => (isPlaying() ? start(toMs) : stand(toMs))

  return {
    play: () => start(positionMs()),
    pause: () => stand(positionMs()),
    seek,
    state: (sequenceNumber) => ({
      isPlaying: isPlaying(),
      positionMs: positionMs(),
      timestampMs: now(),
      sequenceNumber,
    }),
    follow(state, isJoin) {
      const sentMs = state.isPlaying
        ? estimatePosition(state.positionMs, state.timestampMs, now())
        : state.positionMs
      const targetMs = isJoin ? 0 : sentMs
      if (Math.abs(positionMs() - targetMs) > limits.seekThresholdMs) seek(targetMs)
      if (state.isPlaying && !isPlaying()) start(positionMs())
      if (!state.isPlaying && isPlaying()) stand(positionMs())
    },
    soundingAt: () => player.soundingAt(now()),
  }
}
