import type { Clock } from '@earshot/core/clock'
import { type Audience, leadMs } from '@earshot/core/sync/lead'
import { reduceRoom } from '@earshot/core/room/reduce-room'
import type { Actor, RoomCommand, RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import type { Db } from '../db/database.ts'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import type { RoomChanged } from './room-events.ts'
import { type StoredOutcome, changeRoom, createRoomStore } from './store/room-store.ts'

/** Names the commands for what was asked, given the room as it is. Pure: it may run again. */
export type CommandPlan = (state: RoomState, nowMs: number) => RoomCommand[]

/** The one way to change a room: load, reduce, commit, then broadcast. */
export interface RoomRuntime {
  /**
   * Runs one command, or all commands of a plan in one transaction, at the server's time. Resolves once the change is
   * stored and handed to the broadcast; changes of one room are broadcast in the order in which they were stored.
   * @throws AppError room_not_found, and whatever the rules refuse (not_owner, no_track, queue_full ...)
   */
  runCommand(roomId: string, command: RoomCommand | CommandPlan, actor: Actor): Promise<StoredOutcome>
}

export interface RoomRuntimeParts {
  db: Db
  clock: Clock
  /** What the members of a room reported of themselves. */
  audience(roomId: string): Audience
  broadcast(change: RoomChanged): Promise<void>
  /** Called after every run, also one that changed nothing. */
  committed(state: RoomState): void
}

export function createRoomRuntime(parts: RoomRuntimeParts): RoomRuntime {
  const store = createRoomStore(parts.db, parts.clock)
  const runExclusive = createKeyedMutex()

  const run = async (roomId: string, plan: CommandPlan, actor: Actor): Promise<StoredOutcome> => {
    const audience = parts.audience(roomId)
    let commands: RoomCommand[] = []
    const change = (state: RoomState): RoomOutcome => {
      const nowMs = Math.round(parts.clock.now())
      commands = plan(state, nowMs)
      return reduceAll(state, commands, { actor, nowMs, audience })
    }
    const outcome = await changeRoom(store, roomId, change)
    parts.committed(outcome.state)
    if (outcome.changes.length > 0) await parts.broadcast({ roomId, commands, actor, outcome })
    return outcome
  }

  return {
    runCommand(roomId, command, actor) {
      const plan = typeof command === 'function' ? command : () => [command]
      return runExclusive(roomId, () => run(roomId, plan, actor))
    },
  }
}

function reduceAll(
  state: RoomState,
  commands: RoomCommand[],
  context: { actor: Actor; nowMs: number; audience: Audience },
): RoomOutcome {
  const { actor, nowMs, audience } = context
  let outcome: RoomOutcome = { state, changes: [] }
  for (const command of commands) {
    const lead = leadMs(audience, outcome.state.track?.source ?? null)
    const next = reduceRoom(outcome.state, command, { actor, nowMs, leadMs: lead })
    outcome = { state: next.state, changes: [...new Set([...outcome.changes, ...next.changes])] }
  }
  return outcome
}
