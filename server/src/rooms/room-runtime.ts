import type { Clock } from '@earshot/core/clock'
import { type Audience, leadMs } from '@earshot/core/sync/lead'
import { reduceRoom } from '@earshot/core/room/reduce-room'
import type { Actor, CommandPlan, RoomCommand, RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import type { Db } from '../db/database.ts'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import type { EventBus, RoomCommit } from '../events.ts'
import type { SyncReports } from '../sync-reports/sync-reports.ts'
import { planHistory } from './queue-history.ts'
import { type ChangedRoom, type StoredOutcome, changeRoom, createRoomStore } from './store/room-store.ts'

/** The only way to change a room: load, reduce, commit, then emit `roomCommitted` and `tracksChanged`. */
export interface RoomRuntime {
  /**
   * Runs one command, or all commands of a plan in one transaction, at the server's time. Resolves once the change is
   * stored and broadcast; to a command of a connection (`socketId`) already when only that connection has the events.
   * Changes of one room are broadcast in the order in which they were stored.
   * @throws AppError room_not_found, or the refusal of the rules (not_owner, no_track, queue_full ...)
   */
  runCommand(
    roomId: string,
    command: RoomCommand | CommandPlan,
    actor: Actor,
    socketId?: string,
  ): Promise<StoredOutcome>
  /** Returns a room as this process last read or wrote it; null where that is long ago. */
  findKnown(roomId: string): RoomState | null
}

interface RoomRuntimeParts {
  db: Db
  clock: Clock
  events: EventBus
  syncReports: Pick<SyncReports, 'audience'>
}

export function createRoomRuntime(parts: RoomRuntimeParts): RoomRuntime {
  const { clock, events, syncReports } = parts
  const store = createRoomStore(parts.db, clock)
  const runExclusive = createKeyedMutex()

  const run = async (
    roomId: string,
    plan: CommandPlan,
    { actor, socketId }: Pick<RoomCommit, 'actor' | 'socketId'>,
  ): Promise<StoredOutcome> => {
    const audience = syncReports.audience(roomId)
    let commands: RoomCommand[] = []
    const change = (before: RoomState): ChangedRoom => {
      const nowMs = Math.round(clock.now())
      commands = plan(before, nowMs)
      const outcome = reduceAll(before, commands, { actor, nowMs, audience })
      return { ...outcome, history: planHistory({ commands, before, outcome, actor, nowMs }) }
    }
    const outcome = await changeRoom(store, roomId, change)
    const commit = { roomId, commands, actor, socketId, outcome }
    await Promise.all([
      events.emit('roomCommitted', commit),
      ...(changesTracks(outcome) ? [events.emit('tracksChanged', commit)] : []),
    ])
    return outcome
  }

  return {
    findKnown: (roomId) => store.cache.find(roomId)?.room.state ?? null,
    runCommand(roomId, command, actor, socketId) {
      const plan = typeof command === 'function' ? command : () => [command]
      return runExclusive(roomId, () => run(roomId, plan, { actor, socketId: socketId ?? null }))
    },
  }
}

const changesTracks = ({ changes }: RoomOutcome): boolean =>
  changes.includes('track') || changes.includes('queue')

function reduceAll(
  state: RoomState,
  commands: RoomCommand[],
  context: { actor: Actor; nowMs: number; audience: Audience },
): RoomOutcome {
  const { actor, nowMs, audience } = context
  let outcome: RoomOutcome = { state, changes: [] }
  for (const command of commands) {
    const lead = leadMs(audience, outcome.state, nowMs)
    const commandContext = { actor, nowMs, leadMs: lead, isAudienceLoading: audience.isLoading }
    const next = reduceRoom(outcome.state, command, commandContext)
    outcome = { state: next.state, changes: [...new Set([...outcome.changes, ...next.changes])] }
  }
  return outcome
}
