import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import type { Presence } from '../../presence/presence.ts'
import type { CommandPlan, RoomRuntime } from '../room-runtime.ts'

/**
 * A room that never played, or is idle and otherwise empty, begins anew a second after its owner came in (4.7c),
 * unless it was changed since they came, or they have left again.
 */
export interface Greetings {
  ownerArrived(roomId: string, ownerId: string): void
  close(): void
}

export interface GreetingsParts {
  clock: Clock
  logger: Logger
  presence: Presence
  runtime: RoomRuntime
}

export function createGreetings(parts: GreetingsParts): Greetings {
  const { clock, logger } = parts
  const timers = createKeyedTimers(clock)

  return {
    ownerArrived(roomId, ownerId) {
      const arrivedAtMs = clock.now()
      timers.set(roomId, arrivedAtMs + limits.initialStateBroadcastMs, () => {
        greet(parts, { roomId, ownerId, arrivedAtMs }).catch((error: unknown) =>
          logger.error({ err: error, roomId }, 'could not begin a room anew for its owner'),
        )
      })
    },
    close: () => timers.close(),
  }
}

async function greet(
  { presence, runtime }: GreetingsParts,
  arrival: { roomId: string; ownerId: string; arrivedAtMs: number },
): Promise<void> {
  const { roomId, ownerId, arrivedAtMs } = arrival
  const present = await presence.findPresent(roomId, [ownerId])
  if (!present.has(ownerId)) return
  const othersPresent = (await presence.countMembers(roomId)) - 1
  const plan: CommandPlan = ({ timeline }) =>
    timeline.atServerMs > arrivedAtMs ? [] : [{ type: 'owner_joined', othersPresent }]
  await runtime.runCommand(roomId, plan, { kind: 'user', id: ownerId, isMember: true })
}
