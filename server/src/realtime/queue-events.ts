import { AppError } from '@earshot/core/protocol/errors'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { QueueCommand } from '@earshot/core/protocol/queue-calls'
import type { ClientPayload } from '@earshot/core/protocol/socket-events'
import { type CommandPlan, type RoomCommand, type RoomState, asMember } from '@earshot/core/room/room-state'
import { toTrack } from '@earshot/core/room/track-change'
import type { SessionUser } from '../auth/session.ts'
import { deriveId, newId } from '../ids.ts'
import { spendPoints, takePoint } from '../limits/rate-limits.ts'
import { planRestore } from '../rooms/queue-history.ts'
import type { Sender } from '../rooms/room-change-limit.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { StoredOutcome } from '../rooms/store/room-store.ts'
import { type TrackParts, requireTrack, requireTracks, toAddedBy } from '../rooms/tracks.ts'
import { type EventCall, bindEvent } from './bind-event.ts'
import { serverLimits } from '../server-limits.ts'

/** The changes of a queue: single commands, and the whole order as section 7 has it. */
export function queueEvents(rooms: Rooms) {
  const { runtime, changeLimit } = rooms
  const toSender = ({ user, socket }: EventCall): Sender => ({ user, address: socket.data.address })
  return {
    queue_updated: bindEvent('queue_updated', {
      rate: 'queue',
      isBulky: true,
      handle: async ({ roomId, queue }, call) => {
        const actor = asMember(call.user.id, call.user.isGuest)
        const { state } = await changeLimit.change(roomId, toSender(call), () =>
          spendByLength(rooms, { roomId, userId: call.user.id, length: queue.length }, async () => {
            const command = await toArrangement(rooms, queue, call.user)
            return await runtime.runCommand(roomId, command, actor, call.socket.id)
          }),
        )
        return { queue: state.queue }
      },
    }),
    queue_command: bindEvent('queue_command', {
      rate: 'queue',
      handle: async ({ roomId, command, commandId }, call) => {
        const actor = asMember(call.user.id, call.user.isGuest)
        const outcome = await changeLimit.change(roomId, toSender(call), async () => {
          const plan = await planQueueCommand(rooms, { roomId, command, commandId, user: call.user })
          const run = () => runtime.runCommand(roomId, plan.commands, actor, call.socket.id)
          const cost = { roomId, userId: call.user.id, length: plan.restored?.length ?? 0 }
          const stored = cost.length > 1 ? await spendByLength(rooms, cost, run) : await run()
          return { ...stored, omitted: countOmitted(plan.restored, stored) }
        })
        const { changes, queueVersion, omitted } = outcome
        return { applied: changes.length > 0, queueVersion, ...(omitted > 0 ? { omitted } : {}) }
      },
    }),
  }
}

/** Makes a change that goes to all members with so many entries. @throws AppError rate_limited */
async function spendByLength<Outcome>(
  { limiters }: Pick<Rooms, 'limiters'>,
  { roomId, userId, length }: { roomId: string; userId: string; length: number },
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const extraPoints = Math.floor(length / serverLimits.orderEntriesPerPoint)
  if (extraPoints > 0) await takePoint(limiters.queue, userId, extraPoints)
  const ofRoom = { limiter: limiters.roomOrders, key: roomId, points: length }
  await takePoint(ofRoom.limiter, ofRoom.key, ofRoom.points)
  return await spendPoints([ofRoom], change, () => true)
}

/** Entries with an id define the order; tracks without one are added. */
async function toArrangement(
  parts: TrackParts,
  queue: ClientPayload<'queue_updated'>['queue'],
  user: SessionUser,
): Promise<RoomCommand> {
  const order = queue.flatMap((entry) => entry.entry_id ?? [])
  const trackIds = queue.flatMap((entry) => (entry.entry_id === undefined ? entry.id : []))
  const tracks = await requireTracks(parts, trackIds, user.id)
  const added = tracks.map((track) => ({ track, entryId: newId() }))
  return { type: 'arrange_queue', order, added, addedBy: toAddedBy(user) }
}

interface SentQueueCommand {
  roomId: string
  command: QueueCommand
  commandId: string
  user: SessionUser
}

interface QueuePlan {
  commands: CommandPlan
  /** The entries to put back. */
  restored?: readonly QueueEntry[] | undefined
}

/** Counts the entries that were not put back. */
function countOmitted(restored: readonly QueueEntry[] = [], { changes, state }: StoredOutcome): number {
  if (restored.length === 0 || changes.length === 0) return 0
  const queued = new Set(state.queue.map((entry) => entry.entry_id))
  const missing = restored.filter((entry) => !queued.has(entry.entry_id)).length
  // The first one may have become current.
  return changes.includes('track') ? missing - 1 : missing
}

/** Plans a queue command with the tracks and entries that it names. A repeated one plans nothing. */
async function planQueueCommand(parts: TrackParts, sent: SentQueueCommand): Promise<QueuePlan> {
  const { commandId } = sent
  const { commands, restored } = await toPlan(parts, sent)
  return {
    restored,
    commands(state, nowMs) {
      if (state.recentCommandIds.includes(commandId)) return []
      return commands(state, nowMs).map((each) => ({ ...each, commandId }))
    },
  }
}

/** @throws AppError track_not_found, queue_entry_not_found */
async function toPlan(parts: TrackParts, sent: SentQueueCommand): Promise<QueuePlan> {
  const { roomId, command, commandId, user } = sent
  switch (command.type) {
    case 'add': {
      const track = await requireTrack(parts, command.trackId, user.id)
      // A busy room forgets the ids of its commands within a second.
      const entryId = deriveId(roomId, user.id, commandId)
      return { commands: () => [{ type: 'add_track', track, entryId, addedBy: toAddedBy(user) }] }
    }
    case 'move':
      return { commands: () => [{ type: 'move_entry', entryId: command.entryId, index: command.index }] }
    case 'remove':
      return { commands: () => [{ type: 'remove_entry', entryId: command.entryId }] }
    case 'clear': {
      const removalId = toRemovalId(user, commandId)
      return { commands: () => [{ type: 'clear_queue', removalId }] }
    }
    case 'restore': {
      const restore = await planRestore(parts.db, roomId, { entryId: command.entryId })
      // A repeated restore finds the entry in the queue again.
      const isBack = ({ queue }: RoomState) => queue.some((entry) => entry.entry_id === command.entryId)
      return toRestorePlan(restore, isBack)
    }
    case 'restore_cleared': {
      const removalId = toRemovalId(user, command.clearId)
      return toRestorePlan(await planRestore(parts.db, roomId, { removalId }), () => false)
    }
    case 'play':
      return { commands: (state) => [toSelection(state.queue, command.entryId)] }
  }
}

/** Each user undoes their own clearings: an id is unique among the commands of one. */
const toRemovalId = (user: SessionUser, commandId: string): string => deriveId(user.id, commandId)

function toRestorePlan(
  restore: Awaited<ReturnType<typeof planRestore>>,
  isBack: (state: RoomState) => boolean,
): QueuePlan {
  return {
    restored: restore?.entries,
    commands(state) {
      if (restore) return [restore]
      if (isBack(state)) return []
      throw new AppError('queue_entry_not_found')
    },
  }
}

function toSelection(queue: readonly QueueEntry[], entryId: string): RoomCommand {
  const entry = queue.find((candidate) => candidate.entry_id === entryId)
  if (!entry) throw new AppError('queue_entry_not_found')
  return { type: 'select_track', track: toTrack(entry), entryId, isPlaying: true }
}
