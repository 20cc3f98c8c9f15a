import type { Clock } from '@earshot/core/clock'
import { type CommandPlan, asMember } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'
import { serverLimits } from '../../server-limits.ts'

interface IdleRoomResetParts {
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'findPresent' | 'countMembers'>
  runtime: Pick<RoomRuntime, 'runCommand'>
}

interface Arrival {
  ownerId: string
  atMs: number
}

const concurrency = 8

/**
 * Resets a room that never played, or is idle and otherwise empty, to 0:00 one second after its owner joins (4.7c),
 * unless it changed in that second or the owner left. Returns a function that stops it and waits for resets under way.
 */
export function startIdleRoomReset(parts: IdleRoomResetParts): () => Promise<void> {
  const { clock, logger, events } = parts
  const timers = createKeyedTimers(clock)
  /** Arrivals of a second ago, by room. */
  const due = new Map<string, Arrival>()
  const resets = createWorkQueue(concurrency, async (roomId) => {
    const arrival = due.get(roomId)
    if (!arrival) return
    due.delete(roomId)
    const message = 'Could not reset an idle room; it stays as it is'
    await resetIfIdle(parts, roomId, arrival).catch(logUnlessGone(logger, roomId, message))
  })

  events.on('ownerArrived', ({ roomId, ownerId }) => {
    const atMs = clock.now()
    timers.set(roomId, atMs + serverLimits.initialStateBroadcastMs, () => {
      due.set(roomId, { ownerId, atMs })
      resets.add(roomId)
    })
  })
  return async () => {
    timers.close()
    await resets.close()
  }
}

async function resetIfIdle(
  { presence, runtime }: IdleRoomResetParts,
  roomId: string,
  { ownerId, atMs }: Arrival,
): Promise<void> {
  const present = await presence.findPresent(roomId, [ownerId])
  if (!present.has(ownerId)) return
  const othersPresent = (await presence.countMembers(roomId)) - 1
  const plan: CommandPlan = ({ timeline }) =>
    timeline.atServerMs > atMs ? [] : [{ type: 'owner_joined', othersPresent }]
  await runtime.runCommand(roomId, plan, asMember(ownerId, false))
}
