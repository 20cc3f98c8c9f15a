import { httpApi } from '@earshot/core/protocol/http-api'
import type { Actor } from '@earshot/core/room/room-state'
import type { FastifyInstance } from 'fastify'
import { listQueue } from '../../db/room-tracks.ts'
import { newId } from '../../ids.ts'
import { takePoint } from '../../limits/rate-limits.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { requireTrack } from '../../rooms/tracks.ts'
import { registerCall } from '../http-call.ts'

/** The queue of a room, for its members (7.5). */
export function registerQueueRoutes(server: FastifyInstance, rooms: Rooms): void {
  const { db, membership, runtime, limiters } = rooms

  registerCall(server, httpApi.getQueue, async ({ params, session }) => {
    await membership.requireMember(params.roomId, session.user)
    return { queue: await listQueue(db, params.roomId) }
  })

  registerCall(server, httpApi.addToQueue, async ({ params, body, session }) => {
    const { user } = session
    await membership.requireMember(params.roomId, user)
    await takePoint(limiters.queue, user.id)
    const track = await requireTrack(db, body.trackId)
    const command = { type: 'add_track', track, entryId: newId(), addedBy: user.id } as const
    const { state } = await runtime.runCommand(params.roomId, command, toActor(user.id))
    return { queue: state.queue }
  })

  registerCall(server, httpApi.removeFromQueue, async ({ params, session }) => {
    const { user } = session
    await membership.requireMember(params.roomId, user)
    await takePoint(limiters.queue, user.id)
    const command = { type: 'remove_entry', entryId: params.entryId } as const
    const { state } = await runtime.runCommand(params.roomId, command, toActor(user.id))
    return { queue: state.queue }
  })
}

function toActor(userId: string): Actor {
  return { kind: 'user', id: userId, isMember: true }
}
