import { addCommand } from '@earshot/core/testing/rooms'
import {
  type PersonOptions,
  type SimulatedPerson,
  createSimulation,
  joinRoom,
} from '@earshot/core/testing/simulation'
import { type Pair, ownerOptions, trackMs } from './pair.ts'

/** An owner and a listener who run the product's code, over a simulated network and with simulated devices. */
export function openProductPair(options: PersonOptions): Pair {
  const { conditions } = options
  const roundTripMs = conditions.upDelayMs + conditions.downDelayMs + conditions.jitterMs
  const simulation = createSimulation([ownerOptions], [roundTripMs])
  const { clock, room, listeners } = simulation
  room.command(addCommand('track', trackMs))
  const [owner] = listeners
  let listener: SimulatedPerson | null = null
  return {
    clock,
    play: () => room.command({ type: 'play' }),
    pause: () => room.command({ type: 'pause' }),
    seek: (positionMs) => room.command({ type: 'seek', positionMs }),
    join() {
      listener = joinRoom(simulation, options)
    },
    cutOff: () => listener?.network.setConditions({ ...conditions, dropRate: 1 }),
    reconnect() {
      listener?.network.setConditions(conditions)
      listener?.listener.reconnect()
    },
    apartMs() {
      const ownersMs = owner?.soundErrorMs() ?? null
      const listenersMs = listener?.soundErrorMs() ?? null
      return ownersMs === null || listenersMs === null ? null : listenersMs - ownersMs
    },
  }
}
