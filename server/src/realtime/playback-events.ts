import type { CommandName, PlaybackAnswer } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import {
  hasUnforcedPosition,
  planPlaybackUpdate,
  planTrackChange,
  requireControls,
  toRoomCommand,
  withoutPosition,
} from '@earshot/core/room/playback-update'
import { type CommandPlan, type RoomCommand, asMember, completePlan } from '@earshot/core/room/room-state'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { LibraryRule } from '../accounts/library-access.ts'
import type { Db } from '../db/database.ts'
import { requireRoom } from '../db/rooms.ts'
import { findTrack } from '../db/tracks.ts'
import { type Limiters, takePoint } from '../limits/rate-limits.ts'
import { withPlayedBefore } from '../rooms/queue-history.ts'
import type { TrackReadiness } from '../rooms/schedule/track-readiness.ts'
import type { VotesToSkip } from '../rooms/skip-votes.ts'
import type { RoomChangeLimit } from '../rooms/room-change-limit.ts'
import type { RoomRuntime } from '../rooms/room-runtime.ts'
import { toStoredRoom } from '../rooms/store/stored-room.ts'
import { type EventCall, bindEvent } from './bind-event.ts'

interface PlaybackEventsParts {
  db: Db
  libraryRule: LibraryRule
  runtime: RoomRuntime
  changeLimit: RoomChangeLimit
  readiness: TrackReadiness
  votesToSkip: VotesToSkip
  limiters: Limiters
}

export function playbackEvents(parts: PlaybackEventsParts) {
  const run = async (
    roomId: string,
    command: RoomCommand | CommandPlan,
    { user, socket }: EventCall,
  ): Promise<PlaybackAnswer> => {
    const actor = asMember(user.id, user.isGuest)
    const sender = { user, address: socket.data.address }
    const { state, changes } = await parts.changeLimit.change(roomId, sender, () =>
      parts.runtime.runCommand(roomId, command, actor, socket.id),
    )
    return { applied: changes.length > 0, state: toPlaybackState(state.timeline, user.id) }
  }

  return {
    skip_vote: bindEvent('skip_vote', {
      rate: 'vote',
      handle: async ({ roomId, sequenceNumber, isFor }, { user }) => ({
        votes: await parts.votesToSkip.vote(roomId, { userId: user.id, sequenceNumber, isFor }),
      }),
    }),
    direct_command: bindEvent('direct_command', {
      rate: 'command',
      handle: async (payload, call) => {
        const command = await complete(parts, payload, toRoomCommand(payload))
        return await run(payload.roomId, command, call)
      },
    }),
    playback_update: bindEvent('playback_update', {
      rate: 'command',
      handle: async ({ roomId, state: sent }, call) => {
        const refused = hasUnforcedPosition(sent) ? await countReport(parts, roomId, call) : null
        const counted = refused ? withoutPosition(sent) : sent
        if (!counted) return { ...(await answerUnchanged(parts.db, roomId, call)), ...refused }
        const asSent = planPlaybackUpdate(counted, call.user.id)
        const plan = await complete(parts, { roomId, command: sent.command }, asSent)
        return { ...(await run(roomId, plan, call)), ...refused }
      },
    }),
    track_changed: bindEvent('track_changed', {
      rate: 'command',
      handle: async (payload, call) => {
        const track = await findTrack(parts.db, payload.trackId)
        if (!track) throw new AppError('track_not_found')
        const [addable] = await parts.libraryRule.onlyAllowed(call.user.id, [track])
        const plan = planTrackChange(payload, { track, mayAdd: addable !== undefined })
        return await run(payload.roomId, plan, call)
      },
    }),
    track_ready: bindEvent('track_ready', {
      rate: 'command',
      handle: async ({ roomId, trackId, sequenceNumber, isNext = false }, { user }) => {
        const { readiness } = parts
        if (isNext) await readiness.reportNextReady(roomId, sequenceNumber, trackId, user.id)
        else await readiness.reportReady(roomId, sequenceNumber, user.id)
        return {}
      },
    }),
  }
}

/** Completes `previous` by what the room played before, and `next` by what its listeners have loaded. */
async function complete(
  { db, readiness }: Pick<PlaybackEventsParts, 'db' | 'readiness'>,
  { roomId, command: name }: { roomId: string; command?: CommandName | undefined },
  command: RoomCommand | CommandPlan,
): Promise<RoomCommand | CommandPlan> {
  if (name === 'previous') return await withPlayedBefore(db, roomId, command)
  if (name !== 'next') return command
  const loaded = await readiness.findLoadedNext(roomId)
  return completePlan(command, (each) => (each.type === 'next' ? { ...each, loaded } : each))
}

/** Resolves to null, or to when to report again, if it comes too soon after another. */
async function countReport(
  { limiters }: Pick<PlaybackEventsParts, 'limiters'>,
  roomId: string,
  { user }: EventCall,
): Promise<Pick<PlaybackAnswer, 'retryAfterMs'> | null> {
  try {
    await takePoint(limiters.positionReport, `${roomId}:${user.id}`)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error
    return error.details
  }
}

/** Answers a refused report with the current state. The queue, which may be long, is not read for it. */
async function answerUnchanged(db: Db, roomId: string, { user }: EventCall): Promise<PlaybackAnswer> {
  const { state } = toStoredRoom(await requireRoom(db, roomId))
  requireControls(state, user.id)
  return { applied: false, state: toPlaybackState(state.timeline, user.id) }
}
