import type { FakeClock } from '@earshot/core/testing/fake-clock'
import { deviceOptions } from '@earshot/core/testing/fake-player'
import { type NetworkConditions, calmNetwork } from '@earshot/core/testing/lossy-network'
import type { PersonOptions } from '@earshot/core/testing/simulation'

/** An owner who plays and a listener who follows, on one fake clock. Positions in ms. */
export interface Pair {
  readonly clock: FakeClock
  play(): void
  pause(): void
  seek(positionMs: number): void
  /** The listener joins. */
  join(): void
  /** Cuts the listener's network. */
  cutOff(): void
  /** Restores the listener's network and reconnects. */
  reconnect(): void
  /** How far the listener's sound is ahead of the owner's; null while either is silent. */
  apartMs(): number | null
}

/** Both devices start at once and to the sample, so that only the rule makes a difference. */
export const device = deviceOptions.library

/** A good connection: 10 ms each way, and a little jitter. */
export const nearby: NetworkConditions = { ...calmNetwork, jitterMs: 2 }

/** The owner: near the server, with the right time. */
export const ownerOptions: PersonOptions = {
  device,
  conditions: nearby,
  clockOffsetMs: 0,
  clockDriftPpm: 0,
  seed: 7_001,
}

export const trackMs = 3_600_000
