import type { Clock } from '@earshot/core/clock'
import { type CommandPlan, asMember } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'
import { serverLimits } from '../../server-limits.ts'

interface IdleRoomResetParts {
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Presence
  runtime: RoomRuntime
}

/**
 * Resets a room that never played, or is idle and otherwise empty, to 0:00 one second after its owner joins (4.7c),
 * unless it changed in that second or the owner left. Returns a function that stops it.
 */
export function startIdleRoomReset(parts: IdleRoomResetParts): () => void {
  const { clock, logger, events } = parts
  const timers = createKeyedTimers(clock)

  events.on('ownerArrived', ({ roomId, ownerId }) => {
    const arrivedAtMs = clock.now()
    timers.set(roomId, arrivedAtMs + serverLimits.initialStateBroadcastMs, () => {
      resetIfIdle(parts, { roomId, ownerId, arrivedAtMs }).catch(
        logUnlessGone(logger, roomId, 'Could not reset an idle room; it stays as it is'),
      )
    })
  })
  return () => timers.close()
}

async function resetIfIdle(
  { presence, runtime }: IdleRoomResetParts,
  arrival: { roomId: string; ownerId: string; arrivedAtMs: number },
): Promise<void> {
  const { roomId, ownerId, arrivedAtMs } = arrival
  const present = await presence.findPresent(roomId, [ownerId])
  if (!present.has(ownerId)) return
  const othersPresent = (await presence.countMembers(roomId)) - 1
  const plan: CommandPlan = ({ timeline }) =>
    timeline.atServerMs > arrivedAtMs ? [] : [{ type: 'owner_joined', othersPresent }]
  await runtime.runCommand(roomId, plan, asMember(ownerId, false))
}
