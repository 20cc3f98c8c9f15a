import { AppError } from '@earshot/core/protocol/errors'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import type { QueueCommand } from '@earshot/core/protocol/queue-calls'
import type { ClientPayload } from '@earshot/core/protocol/socket-events'
import { type CommandPlan, type RoomCommand, asMember } from '@earshot/core/room/room-state'
import { toTrack } from '@earshot/core/room/track-change'
import type { SessionUser } from '../auth/session.ts'
import { deriveId, newId } from '../ids.ts'
import { takePoint, withPoints } from '../limits/rate-limits.ts'
import { planRestore } from '../rooms/queue-history.ts'
import type { Sender } from '../rooms/room-change-limit.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type TrackParts, requireTrack, requireTracks, toAdder } from '../rooms/tracks.ts'
import { type EventCall, bindEvent } from './bind-event.ts'
import { serverLimits } from '../server-limits.ts'

/** The changes of a queue: single commands, and the whole order as section 7 has it. */
export function queueEvents(rooms: Rooms) {
  const { runtime, limiters, changeLimit } = rooms
  const toSender = ({ user, socket }: EventCall): Sender => ({ user, address: socket.data.address })
  return {
    queue_updated: bindEvent('queue_updated', {
      rate: 'queue',
      isBulky: true,
      handle: async ({ roomId, queue }, call) => {
        const extraPoints = Math.floor(queue.length / serverLimits.orderEntriesPerPoint)
        if (extraPoints > 0) await takePoint(limiters.queue, call.user.id, extraPoints)
        const actor = asMember(call.user.id, call.user.isGuest)
        const { state } = await changeLimit.change(roomId, toSender(call), () =>
          withPoints(limiters.roomOrders, roomId, queue.length, async () => {
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
        const { changes, queueVersion } = await changeLimit.change(roomId, toSender(call), async () => {
          const plan = await planQueueCommand(rooms, { roomId, command, commandId, user: call.user })
          return await runtime.runCommand(roomId, plan, actor, call.socket.id)
        })
        return { applied: changes.length > 0, queueVersion }
      },
    }),
  }
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
  return { type: 'arrange_queue', order, added, ...toAdder(user) }
}

interface SentQueueCommand {
  roomId: string
  command: QueueCommand
  commandId: string
  user: SessionUser
}

/** Plans a queue command with the tracks and entries that it names. A repeated one plans nothing. */
async function planQueueCommand(parts: TrackParts, sent: SentQueueCommand): Promise<CommandPlan> {
  const { commandId } = sent
  const plan = await toPlan(parts, sent)
  return (state, nowMs) => {
    if (state.recentCommandIds.includes(commandId)) return []
    return plan(state, nowMs).map((each) => ({ ...each, commandId }))
  }
}

/** @throws AppError track_not_found, queue_entry_not_found */
async function toPlan(parts: TrackParts, sent: SentQueueCommand): Promise<CommandPlan> {
  const { roomId, command, commandId, user } = sent
  switch (command.type) {
    case 'add': {
      const track = await requireTrack(parts, command.trackId, user.id)
      // A busy room forgets the ids of its commands within a second.
      const entryId = deriveId(roomId, user.id, commandId)
      return () => [{ type: 'add_track', track, entryId, ...toAdder(user) }]
    }
    case 'move':
      return () => [{ type: 'move_entry', entryId: command.entryId, index: command.index }]
    case 'remove':
      return () => [{ type: 'remove_entry', entryId: command.entryId }]
    case 'clear':
      return () => [{ type: 'clear_queue' }]
    case 'restore': {
      const restore = await planRestore(parts.db, roomId, command.entryId)
      return (state) => {
        if (restore) return [restore]
        // A repeated restore finds the entry in the queue again.
        if (state.queue.some((entry) => entry.entry_id === command.entryId)) return []
        throw new AppError('queue_entry_not_found')
      }
    }
    case 'play':
      return (state) => [toSelection(state.queue, command.entryId)]
  }
}

function toSelection(queue: readonly QueueEntry[], entryId: string): RoomCommand {
  const entry = queue.find((candidate) => candidate.entry_id === entryId)
  if (!entry) throw new AppError('queue_entry_not_found')
  return { type: 'select_track', track: toTrack(entry), entryId, isPlaying: true }
}
