import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand, RoomOutcome } from '@earshot/core/room/room-state'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import type { RoomCommit } from '../events.ts'
import type { RoomViews } from '../rooms/room-view.ts'
import { startDeletionResend } from './deletion-resend.ts'
import { type RoomResendParts, startRoomResend } from './room-resend.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { channelOf, deltaChannelOf, wholeChannelOf } from './room-channels.ts'
import { type RoomEvent, createSenderFirst, toRoomEvent } from './sender-first.ts'
import { type WholeQueues, type WholeQueuesParts, createWholeQueues } from './whole-queues.ts'

interface BroadcastParts extends WholeQueuesParts, Omit<RoomResendParts, 'wholeQueues'> {
  views: RoomViews
}

/** Broadcasts changes and messages of rooms to their members in all processes. Returns a function that stops it. */
export function startBroadcast(parts: BroadcastParts): () => void {
  const { io, events, logger } = parts
  const wholeQueues = createWholeQueues(parts)
  const stopResend = startRoomResend({ ...parts, wholeQueues })
  startDeletionResend(parts)
  const senderFirst = createSenderFirst(io)
  // Each reading of a room is sent before the next begins: otherwise an older one may come last.
  const readInOrder = createKeyedMutex()

  events.on('roomCommitted', async (commit) => {
    const { roomId, outcome } = commit
    const send = async (): Promise<void> => {
      const room = isRoomShown(outcome) ? await listRoomEvents(parts, roomId) : []
      const changed = listChangeEvents(wholeQueues, commit)
      senderFirst.send(roomId, [...room, ...changed], findSender(io, commit))
    }
    try {
      if (outcome.changes.length === 0) return
      await (isRoomShown(outcome) ? readInOrder(roomId, send) : send())
    } catch (error) {
      const message = 'Could not broadcast a room change; clients catch up with the next one'
      logger.error({ err: error, roomId: commit.roomId }, message)
    }
  })
  events.on('roomEdited', async ({ roomId }) => {
    try {
      await readInOrder(roomId, async () => {
        const room = await listRoomEvents(parts, roomId)
        senderFirst.send(roomId, room, null)
      })
    } catch (error) {
      const message = 'Could not broadcast the settings of a room; clients see them when they join again'
      logger.error({ err: error, roomId }, message)
    }
  })
  events.on('trackSkipped', (skipped) => {
    io.to(channelOf(skipped.roomId)).emit('track_unavailable', skipped)
  })
  events.on('messageSent', ({ roomId, message }) => {
    io.to(channelOf(roomId)).emit('message', { roomId, message })
  })
  events.on('activityHappened', ({ roomId, activity }) => {
    io.to(channelOf(roomId)).emit('activity', { roomId, ...activity })
  })
  events.on('messageDeleted', (deleted) => {
    io.to(channelOf(deleted.roomId)).emit('messageDeleted', deleted)
  })
  events.on('messagesDeleted', (deleted) => {
    io.to(channelOf(deleted.roomId)).emit('messagesDeleted', deleted)
  })
  events.on('reactionsCounted', (reactions) => {
    io.to(channelOf(reactions.roomId)).emit('reactions', reactions)
  })
  events.on('skipVotesCounted', (counted) => {
    io.to(channelOf(counted.roomId)).emit('skip_votes', counted)
  })
  return () => {
    stopResend()
    wholeQueues.close()
  }
}

/**
 * Returns the connection that waits for an acknowledgement; null for one that gets whole queues, which are not sent
 * singly.
 */
function findSender(io: RoomServer, { roomId, socketId, outcome }: RoomCommit): RoomSocket | null {
  const sender = socketId === null ? undefined : io.sockets.sockets.get(socketId)
  const getsWholeQueue = outcome.changes.includes('queue') && sender?.rooms.has(wholeChannelOf(roomId))
  return sender && !getsWholeQueue ? sender : null
}

async function listRoomEvents({ views }: BroadcastParts, roomId: string): Promise<RoomEvent[]> {
  const room = await views.findForMembers(roomId)
  return room ? [toRoomEvent(channelOf(roomId), 'roomUpdate', { roomId, room })] : []
}

const isRoomShown = ({ changes }: RoomOutcome): boolean =>
  changes.includes('track') || changes.includes('controls')

/** Lists the queue first, then the playback state, which refers to it. The room, to which both refer, comes before them. */
function listChangeEvents(wholeQueues: WholeQueues, commit: RoomCommit): RoomEvent[] {
  const { roomId, outcome } = commit
  const { changes } = outcome
  const queue = changes.includes('queue') ? listQueueEvents(wholeQueues, commit) : []
  if (!changes.includes('playback') && !changes.includes('track')) return queue
  const channel = channelOf(roomId)
  const updated = toRoomEvent(channel, 'playback_updated', { roomId, state: toUpdatedState(commit) })
  const direct = toDirectCommand(commit)
  return [...queue, updated, ...(direct ? [toRoomEvent(channel, 'direct_command', direct)] : [])]
}

/** Lists the difference for the clients that understand it, and the whole queue for the others. */
function listQueueEvents(wholeQueues: WholeQueues, { roomId, outcome }: RoomCommit): RoomEvent[] {
  const { state, queueVersion: version, queueParts: parts } = outcome
  const sequence_number = state.timeline.sequenceNumber
  const whole = { roomId, queue: state.queue, version, sequence_number }
  const announced = { channel: wholeChannelOf(roomId), emit: () => wholeQueues.announce(whole) }
  if (!parts) return [announced]
  const delta = { roomId, baseVersion: version - 1, version, parts, sequence_number }
  return [toRoomEvent(deltaChannelOf(roomId), 'queueDelta', delta), announced]
}

function senderOf({ actor }: RoomCommit): string | null {
  return actor.kind === 'user' ? actor.id : null
}

function toUpdatedState(commit: RoomCommit): PlaybackState {
  const commandId = commit.commands.map(idOf).findLast((id) => id !== undefined)
  const state: PlaybackState = {
    ...toPlaybackState(commit.outcome.state.timeline, senderOf(commit)),
    ...(commandId === undefined ? {} : { command_id: commandId }),
  }
  return commit.commands.reduce((updated, command) => ({ ...updated, ...flagsOf(command) }), state)
}

function idOf(command: RoomCommand): string | undefined {
  return 'commandId' in command ? command.commandId : undefined
}

/** Returns the flags of 3.8 for the kind of change. */
function flagsOf(command: RoomCommand): Partial<PlaybackState> {
  switch (command.type) {
    case 'play':
    case 'pause':
    case 'next':
    case 'previous':
      return { is_command: true, command: command.type, force_sync: true }
    case 'await_disk':
      return { is_command: true, command: 'pause', force_sync: true }
    case 'disk_returned':
      return { is_command: true, command: 'play', force_sync: true }
    case 'seek':
      return { is_command: true, command: 'seek', force_sync: true, is_seek_operation: true }
    case 'report_position':
      return { is_position_update: true, force_sync: true }
    case 'owner_joined':
      return { initialJoin: true }
    case 'select_track':
    case 'track_ended':
    case 'start_cued':
    case 'start_next':
    case 'skip_unavailable':
    case 'skip_by_vote':
    case 'listener_arrived':
    case 'clock_stepped':
      return { force_sync: true }
    case 'add_track':
    case 'add_tracks':
    case 'remove_entry':
    case 'move_entry':
    case 'restore_entries':
    case 'clear_queue':
    case 'remove_entries_of':
    case 'arrange_queue':
    case 'correct_duration':
    case 'change_controls':
      return {}
  }
}

/** Returns what clients that follow only commands need, also when the server starts a cued track (4.11b). */
function toDirectCommand(commit: RoomCommit): ServerPayload<'direct_command'> | null {
  const { timeline } = commit.outcome.state
  const names = commit.commands.flatMap((each) => nameDirectCommand(each, timeline.isPlaying) ?? [])
  // A state may seek, play and report a duration at once; the position goes with the command in any case.
  const command = names.findLast((name) => name !== 'seek') ?? names.at(-1)
  if (!command) return null
  return {
    roomId: commit.roomId,
    command,
    position: timeline.positionMs,
    timestamp: timeline.atServerMs,
    sequence_number: timeline.sequenceNumber,
    sender_id: senderOf(commit),
  }
}

const starting: ReadonlySet<RoomCommand['type']> = new Set([
  'play',
  'start_cued',
  'start_next',
  // Where they start at once; otherwise their track is cued.
  'next',
  'skip_by_vote',
  'disk_returned',
])

function nameDirectCommand({ type }: RoomCommand, isPlaying: boolean): CommandName | null {
  if (type === 'seek') return type
  if (isPlaying) return starting.has(type) ? 'play' : null
  return type === 'pause' || type === 'await_disk' ? 'pause' : null
}
