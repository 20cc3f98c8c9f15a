import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { createLossyNetwork } from '@earshot/core/testing/lossy-network'
import type { PersonOptions } from '@earshot/core/testing/simulation'
import { type OldClient, type OldState, createOldClient } from './old-client.ts'
import { type Pair, ownerOptions } from './pair.ts'

/**
 * An owner and a listener under the old rule. The owner's player acts at once and broadcasts its position, again every
 * 5 s, and on request of a listener, at the join and 1.5 s after.
 */
export function openOldRulePair(options: PersonOptions): Pair {
  const clock = createFakeClock()
  const ownersNetwork = createLossyNetwork(clock, ownerOptions.seed, ownerOptions.conditions)
  const listenersNetwork = createLossyNetwork(clock, options.seed, options.conditions)
  const owner = createOldClient(clock, ownerOptions)
  let listener: OldClient | null = null
  let latest = -1
  let sent = 0
  let isJoining = false

  const hear = (state: OldState): void => {
    if (!listener || state.sequenceNumber < latest) return
    latest = state.sequenceNumber
    listener.follow(state, isJoining)
    isJoining = false
  }
  const broadcast = (): void => {
    sent += 1
    const state = owner.state(sent)
    ownersNetwork.send('up', () => listenersNetwork.send('down', () => hear(state)))
  }
  const repeat = (): void => {
    if (owner.state(0).isPlaying) broadcast()
    clock.after(limits.ownerPositionReportMs, repeat)
  }
  const ask = (): void => listenersNetwork.send('up', () => ownersNetwork.send('down', broadcast))
  const tell = (act: () => void): void => {
    act()
    broadcast()
  }
  clock.after(limits.ownerPositionReportMs, repeat)

  return {
    clock,
    play: () => tell(() => owner.play()),
    pause: () => tell(() => owner.pause()),
    seek: (positionMs) => tell(() => owner.seek(positionMs)),
    join() {
      listener = createOldClient(clock, options)
      isJoining = owner.state(0).isPlaying
      ask()
      clock.after(limits.initialSyncRequestMs, ask)
    },
    cutOff: () => listenersNetwork.setConditions({ ...options.conditions, dropRate: 1 }),
    reconnect() {
      listenersNetwork.setConditions(options.conditions)
      ask()
    },
    apartMs() {
      const ownersMs = owner.soundingAt()
      const listenersMs = listener?.soundingAt() ?? null
      return ownersMs === null || listenersMs === null ? null : listenersMs - ownersMs
    },
  }
}
