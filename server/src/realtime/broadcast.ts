import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand } from '@earshot/core/room/room-state'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { Logger } from 'pino'
import type { EventBus, RoomCommit } from '../events.ts'
import type { RoomViews } from '../rooms/room-view.ts'
import { type RoomServer, channelOf } from './client-event.ts'

export interface BroadcastParts {
  io: RoomServer
  logger: Logger
  events: EventBus
  views: RoomViews
}

/** Broadcasts changes and messages of rooms to their members in all processes. */
export function startBroadcast(parts: BroadcastParts): void {
  const { io, events, logger } = parts

  events.on('roomCommitted', async (commit) => {
    try {
      if (commit.outcome.changes.length > 0) await broadcastChange(parts, commit)
    } catch (error) {
      const message = 'Could not broadcast a room change; clients catch up with the next one'
      logger.error({ err: error, roomId: commit.roomId }, message)
    }
  })
  events.on('missingTrackSkipped', (skipped) => {
    io.to(channelOf(skipped.roomId)).emit('track_unavailable', skipped)
  })
  events.on('messageSent', ({ roomId, message }) => {
    io.to(channelOf(roomId)).emit('message', { roomId, message })
  })
}

/** Sends the room first, then the queue, then the playback state, which refers to both. */
async function broadcastChange({ io, views }: BroadcastParts, commit: RoomCommit): Promise<void> {
  const { roomId, outcome } = commit
  const { changes, state, queueVersion } = outcome
  const channel = io.to(channelOf(roomId))
  const room = changes.includes('track') ? await views.findForMembers(roomId) : null
  if (room) channel.emit('roomUpdate', { roomId, room })
  if (changes.includes('queue')) {
    const sequence_number = state.timeline.sequenceNumber
    channel.emit('queueUpdate', { roomId, queue: state.queue, version: queueVersion, sequence_number })
  }
  if (!changes.includes('playback') && !changes.includes('track')) return
  channel.emit('playback_updated', { roomId, state: toUpdatedState(commit) })
  const direct = toDirectCommand(commit)
  if (direct) channel.emit('direct_command', direct)
}

function senderOf({ actor }: RoomCommit): string | null {
  return actor.kind === 'user' ? actor.id : null
}

function toUpdatedState(commit: RoomCommit): PlaybackState {
  const commandId = idOf(commit.commands.at(-1))
  const state: PlaybackState = {
    ...toPlaybackState(commit.outcome.state.timeline, senderOf(commit)),
    ...(commandId === undefined ? {} : { command_id: commandId }),
  }
  return commit.commands.reduce((updated, command) => ({ ...updated, ...flagsOf(command) }), state)
}

function idOf(command: RoomCommand | undefined): string | undefined {
  return command && 'commandId' in command ? command.commandId : undefined
}

/** Returns the flags of 3.8 for the kind of change. */
function flagsOf(command: RoomCommand): Partial<PlaybackState> {
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
    case 'skip_missing':
    case 'listener_arrived':
    case 'clock_stepped':
      return { force_sync: true }
    case 'add_track':
    case 'add_tracks':
    case 'remove_entry':
    case 'arrange_queue':
    case 'correct_duration':
      return {}
  }
}

/** Returns play or pause for clients that follow only commands, also when the server starts a cued track (4.11b). */
function toDirectCommand(commit: RoomCommit): ServerPayload<'direct_command'> | null {
  const { timeline } = commit.outcome.state
  const command = nameDirectCommand(commit.commands.at(-1), timeline.isPlaying)
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

function nameDirectCommand(command: RoomCommand | undefined, isPlaying: boolean): CommandName | null {
  if (isPlaying && (command?.type === 'play' || command?.type === 'start_cued')) return 'play'
  return !isPlaying && command?.type === 'pause' ? 'pause' : null
}
