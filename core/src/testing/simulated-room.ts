import type { Clock } from '../clock.ts'
import { leadMs } from '../sync/lead.ts'
import { reduceRoom } from '../room/reduce-room.ts'
import { dueAt, dueCommand } from '../room/due.ts'
import type { RoomCommand, RoomState } from '../room/room-state.ts'
import type { Timeline } from '../sync/timeline.ts'
import type { LossyNetwork } from './lossy-network.ts'
import { emptyRoom, owner, server } from './rooms.ts'

/** A server with one room that broadcasts its timeline. The server's clock is the true time. */
export interface SimulatedRoom {
  readonly state: RoomState
  command(command: RoomCommand): void
  /** Subscribes to the timelines, and sends the current one over the network. */
  join(network: LossyNetwork, onTimeline: (timeline: Timeline) => void): void
}

/** @param roundTripsMs the round trips reported by the members */
export function createSimulatedRoom(clock: Clock, roundTripsMs: number[] = [40]): SimulatedRoom {
  let state = emptyRoom
  let cancelDue = (): void => {}
  const members: { network: LossyNetwork; onTimeline: (timeline: Timeline) => void }[] = []

  const run = (command: RoomCommand, actor: typeof owner): void => {
    const lead = leadMs({ roundTripsMs, hasElement: false }, state, clock.now())
    const outcome = reduceRoom(state, command, { actor, nowMs: clock.now(), leadMs: lead })
    state = outcome.state
    if (outcome.changes.includes('playback')) broadcast()
    cancelDue()
    const due = dueAt(state)
    if (due !== null) cancelDue = clock.after(due - clock.now(), actOnDue)
  }
  const actOnDue = (): void => {
    const command = dueCommand(state, clock.now())
    if (command) run(command, server)
  }
  const broadcast = (): void => {
    const { timeline } = state
    for (const { network, onTimeline } of members) network.send('down', () => onTimeline(timeline))
  }

  return {
    get state() {
      return state
    },
    command: (command) => run(command, owner),
    join(network, onTimeline) {
      const answer = (): void => {
        const { timeline } = state
        network.send('down', () => onTimeline(timeline))
      }
      if (!members.some((member) => member.network === network)) members.push({ network, onTimeline })
      network.send('up', answer)
    },
  }
}
