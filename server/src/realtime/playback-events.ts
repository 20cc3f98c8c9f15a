import type { PlaybackState } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Actor, RoomCommand } from '@earshot/core/room/room-state'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Db } from '../db/database.ts'
import { takePoint } from '../limits/rate-limits.ts'
import type { Readiness } from '../rooms/schedule/track-readiness.ts'
import type { CommandPlan, RoomRuntime } from '../rooms/room-runtime.ts'
import { loadRoomState } from '../rooms/store/room-store.ts'
import { requireTrack } from '../rooms/tracks.ts'
import { type EventCall, bindEvent } from './client-event.ts'
import { isUnforcedReport, planPlaybackUpdate, planTrackChange, toRoomCommand } from './playback-plans.ts'

export interface PlaybackEventsParts {
  db: Db
  runtime: RoomRuntime
  readiness: Readiness
  /** Unforced position reports, by room and member. */
  reports: RateLimiterAbstract
}

type PlaybackAck = { applied: boolean; state: PlaybackState }

export function playbackEvents(parts: PlaybackEventsParts) {
  const run = async (
    roomId: string,
    command: RoomCommand | CommandPlan,
    { user }: EventCall,
  ): Promise<PlaybackAck> => {
    const actor: Actor = { kind: 'user', id: user.id, isMember: true }
    const { state, changes } = await parts.runtime.runCommand(roomId, command, actor)
    return { applied: changes.length > 0, state: toPlaybackState(state.timeline, user.id) }
  }

  return {
    direct_command: bindEvent('direct_command', {
      rate: 'command',
      handle: async (payload, call) => {
        await call.requireMember(payload.roomId)
        return await run(payload.roomId, toRoomCommand(payload), call)
      },
    }),
    playback_update: bindEvent('playback_update', {
      rate: 'command',
      handle: async ({ roomId, state: sent }, call) => {
        await call.requireMember(roomId)
        const plan = planPlaybackUpdate(sent, call.user.id)
        const isTooSoon = isUnforcedReport(sent) && !(await isAdmitted(parts.reports, roomId, call))
        return isTooSoon ? await refuseReport(parts.db, roomId, call) : await run(roomId, plan, call)
      },
    }),
    track_changed: bindEvent('track_changed', {
      rate: 'command',
      handle: async (payload, call) => {
        await call.requireMember(payload.roomId)
        const track = await requireTrack(parts.db, payload.trackId)
        return await run(payload.roomId, planTrackChange(payload, track), call)
      },
    }),
    track_ready: bindEvent('track_ready', {
      rate: 'command',
      handle: async ({ roomId, sequenceNumber }, call) => {
        await call.requireMember(roomId)
        await parts.readiness.reportReady(roomId, sequenceNumber, call.user.id)
        return {}
      },
    }),
  }
}

async function isAdmitted(limiter: RateLimiterAbstract, roomId: string, call: EventCall): Promise<boolean> {
  try {
    await takePoint(limiter, `${roomId}:${call.user.id}`)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

/** Says that the report was not weighed, and where the room is instead. */
async function refuseReport(db: Db, roomId: string, { user }: EventCall): Promise<PlaybackAck> {
  const { state } = await loadRoomState(db, roomId)
  if (state.ownerId !== user.id) throw new AppError('not_owner')
  return { applied: false, state: toPlaybackState(state.timeline, user.id) }
}
