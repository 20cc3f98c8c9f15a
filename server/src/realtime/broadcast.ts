import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand, RoomCommandType, RoomOutcome } from '@earshot/core/room/room-state'
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
export function startBroadcast(parts: BroadcastParts): () => Promise<void> {
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
  sendAsTold(parts)
  return async () => {
    await stopResend()
    wholeQueues.close()
  }
}

/** Broadcasts what needs no reading. */
function sendAsTold({ io, events }: Pick<BroadcastParts, 'io' | 'events'>): void {
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
  events.on('authorChanged', (changed) => {
    io.to(channelOf(changed.roomId)).emit('authorChanged', changed)
  })
  events.on('reactionsCounted', (reactions) => {
    io.to(channelOf(reactions.roomId)).emit('reactions', reactions)
  })
  events.on('skipVotesCounted', (counted) => {
    io.to(channelOf(counted.roomId)).emit('skip_votes', counted)
  })
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
  return commit.commands.reduce((updated, command) => ({ ...updated, ...flags[command.type] }), state)
}

function idOf(command: RoomCommand): string | undefined {
  return 'commandId' in command ? command.commandId : undefined
}

const named = (command: CommandName): Partial<PlaybackState> => ({
  is_command: true,
  command,
  force_sync: true,
})
const forced: Partial<PlaybackState> = { force_sync: true }

/** The flags of 3.8 for each kind of change. */
const flags: Readonly<Record<RoomCommandType, Partial<PlaybackState>>> = {
  play: named('play'),
  pause: named('pause'),
  next: named('next'),
  previous: named('previous'),
  await_disk: named('pause'),
  disk_returned: named('play'),
  seek: { ...named('seek'), is_seek_operation: true },
  report_position: { is_position_update: true, force_sync: true },
  owner_joined: { initialJoin: true },
  select_track: forced,
  track_ended: forced,
  start_cued: forced,
  start_next: forced,
  skip_unavailable: forced,
  skip_by_vote: forced,
  listener_arrived: forced,
  clock_stepped: forced,
  add_track: {},
  add_tracks: {},
  remove_entry: {},
  move_entry: {},
  restore_entries: {},
  clear_queue: {},
  remove_entries_of: {},
  arrange_queue: {},
  correct_duration: {},
  change_controls: {},
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

const starting: ReadonlySet<RoomCommandType> = new Set([
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
