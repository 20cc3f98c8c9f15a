import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import type { RoomBroadcasts, RoomChanged } from '../rooms/room-events.ts'
import type { RoomViews } from '../rooms/room-view.ts'
import type { PresenceBroadcast } from './presence-broadcast.ts'
import { type RoomServer, channelOf } from './socket-types.ts'

export interface BroadcastParts {
  io: RoomServer
  logger: Logger
  views: RoomViews
  presence: PresenceBroadcast
  removeUser(roomId: string, userId: string): void
}

/** Tells the members of a room, in every process, what happened. Each event is encoded once, however many hear it. */
export function createBroadcasts(parts: BroadcastParts): RoomBroadcasts {
  const { io, presence } = parts

  return {
    async roomChanged(change) {
      try {
        await tellChange(parts, change)
      } catch (error) {
        parts.logger.error({ err: error, roomId: change.roomId }, 'could not tell a room that it changed')
      }
    },
    memberJoined: (roomId, member) => presence.memberJoined(roomId, member),
    membersChanged: (roomId) => presence.membersChanged(roomId),
    messageSent: (roomId, message) => io.to(channelOf(roomId)).emit('message', { roomId, message }),
    userRemoved: (roomId, userId) => parts.removeUser(roomId, userId),
  }
}

/** The room first, then the queue, then the state that says what to do with both. */
async function tellChange({ io, views }: BroadcastParts, change: RoomChanged): Promise<void> {
  const { roomId, outcome } = change
  const { changes, state, queueVersion } = outcome
  const channel = io.to(channelOf(roomId))
  const room = changes.includes('track') ? await views.findForMembers(roomId) : null
  if (room) channel.emit('roomUpdate', { roomId, room })
  if (changes.includes('queue'))
    channel.emit('queueUpdate', { roomId, queue: state.queue, version: queueVersion })
  if (!changes.includes('playback') && !changes.includes('track')) return
  channel.emit('playback_updated', { roomId, state: toUpdatedState(change) })
  const direct = toDirectCommand(change)
  if (direct) channel.emit('direct_command', direct)
}

function senderOf({ actor }: RoomChanged): string | null {
  return actor.kind === 'user' ? actor.id : null
}

function toUpdatedState(change: RoomChanged): PlaybackState {
  const state = toPlaybackState(change.outcome.state.timeline, senderOf(change))
  return change.commands.reduce((told, command) => ({ ...told, ...describe(command) }), state)
}

/** The flags of 3.8 that say what kind of change it was. */
function describe(command: RoomCommand): Partial<PlaybackState> {
  switch (command.type) {
    case 'play':
    case 'pause':
    case 'next':
    case 'previous':
      return { is_command: true, command: command.type, force_sync: true }
    case 'seek':
      return { is_command: true, command: 'seek', force_sync: true, is_seek_operation: true }
    case 'report_position':
      return { is_position_update: true, force_sync: true }
    case 'owner_joined':
      return { initialJoin: true }
    case 'select_track':
    case 'track_ended':
    case 'start_cued':
      return { force_sync: true }
    case 'add_track':
    case 'remove_entry':
    case 'arrange_queue':
    case 'correct_duration':
      return {}
  }
}

/** For clients that follow only commands: play and pause, also where the server itself starts a cued track (4.11b). */
function toDirectCommand(change: RoomChanged): ServerPayload<'direct_command'> | null {
  const { timeline } = change.outcome.state
  const command = nameDirectCommand(change.commands.at(-1), timeline.isPlaying)
  if (!command) return null
  return {
    roomId: change.roomId,
    command,
    position: timeline.positionMs,
    timestamp: timeline.atServerMs,
    sequence_number: timeline.sequenceNumber,
    sender_id: senderOf(change),
  }
}

function nameDirectCommand(command: RoomCommand | undefined, isPlaying: boolean): CommandName | null {
  if (isPlaying && (command?.type === 'play' || command?.type === 'start_cued')) return 'play'
  return !isPlaying && command?.type === 'pause' ? 'pause' : null
}
