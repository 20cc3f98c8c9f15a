import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { ImportResult } from '@earshot/core/protocol/providers'
import { wasImported } from '@earshot/core/room/import-tracks'
import { type CommandPlan, type RoomCommand, type RoomState, asMember } from '@earshot/core/room/room-state'
import type { FastifyInstance } from 'fastify'
import { findTracks } from '../../db/tracks.ts'
import { connectionKey } from '../../address-key.ts'
import { deriveId } from '../../ids.ts'
import { takePoint } from '../../limits/rate-limits.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { toAddedBy } from '../../rooms/tracks.ts'
import { registerCall } from '../http-call.ts'
import { serverLimits } from '../../server-limits.ts'

/** Serves imports: several known tracks in one change of the room and one broadcast (15.14). */
export function registerImportCall(server: FastifyInstance, rooms: Rooms): void {
  const { db, libraryRule, membership, runtime, limiters, changeLimit } = rooms

  registerCall(server, httpApi.importTracks, async ({ params: { roomId }, body, session: { user }, ip }) => {
    await membership.requireMember(roomId, user)
    const { trackIds } = body
    await takePoint(limiters.queue, user.id, Math.ceil(trackIds.length / serverLimits.importTracksPerPoint))
    const found = [...(await findTracks(db, trackIds)).values()]
    const allowed = await libraryRule.onlyAllowed(user.id, found)
    const known = new Map(allowed.map((track) => [track.id, track]))
    // The ids of its entries are derived from it.
    const importId = deriveId(roomId, user.id, body.importId)
    const tracks = trackIds.map((trackId) => toPlayable(known.get(trackId)))
    const attempt = planImport({ type: 'add_tracks', importId, tracks, addedBy: toAddedBy(user) })
    const sender = { user, address: connectionKey(ip) }
    const { state } = await changeLimit.change(roomId, sender, () =>
      runtime.runCommand(roomId, attempt.plan, asMember(user.id, user.isGuest)),
    )
    const results = trackIds.map((trackId, index): ImportResult => {
      const track = known.get(trackId)
      if (!track) return { trackId, status: 'not_found' }
      return { trackId, status: track.restriction ? 'not_playable' : attempt.statusOf(index, state) }
    })
    return { results }
  })
}

function toPlayable(track: Track | undefined): Track | null {
  return track && !track.restriction ? track : null
}

/** Plans an import, and compares the room before and after it. */
function planImport(command: Extract<RoomCommand, { type: 'add_tracks' }>): {
  plan: CommandPlan
  statusOf: (index: number, after: RoomState) => ImportResult['status']
} {
  const { importId } = command
  // Filled by the plan, which runs again where another change came first.
  let addedBefore: boolean[] = []
  let atMs = 0
  return {
    plan(state, nowMs) {
      atMs = nowMs
      addedBefore = command.tracks.map((_, index) => wasImported(state, { importId, index, nowMs }))
      return [command]
    },
    statusOf(index, after) {
      if (addedBefore[index]) return 'already_added'
      if (wasImported(after, { importId, index, nowMs: atMs })) return 'added'
      return after.queue.length < limits.queueMaxLength ? 'too_many_waiting' : 'queue_full'
    },
  }
}
