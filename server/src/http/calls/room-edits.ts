import { limits } from '@earshot/core/limits'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { createSharedRateLimiter, takePoint } from '../../limits/rate-limits.ts'
import { type RoomEditParts, changeOwner, deleteRoom, updateRoom } from '../../rooms/room-edits.ts'
import type { RoomViews } from '../../rooms/room-view.ts'
import { registerCall } from '../http-call.ts'

export type RoomEditCallParts = RoomEditParts & { views: RoomViews; redis: Redis | null }

/** Serves what the owner changes about a room: settings, privacy, owner, existence. */
export function registerRoomEditCalls(server: FastifyInstance, parts: RoomEditCallParts): void {
  const { views } = parts
  const edits = createSharedRateLimiter('room-edits', limits.rates.roomEdits, parts.redis)

  registerCall(server, httpApi.updateRoom, async ({ params: { roomId }, body, session: { user } }) => {
    await takePoint(edits, user.id)
    await updateRoom(parts, { roomId, userId: user.id }, body)
    return { room: await views.find(roomId, user.id) }
  })

  registerCall(server, httpApi.deleteRoom, async ({ params: { roomId }, session: { user } }) => {
    await takePoint(edits, user.id)
    await deleteRoom(parts, { roomId, userId: user.id })
    return {}
  })

  registerCall(server, httpApi.changeOwner, async ({ params: { roomId }, body, session: { user } }) => {
    await takePoint(edits, user.id)
    await changeOwner(parts, { roomId, userId: user.id }, body.userId)
    return { room: await views.find(roomId, user.id) }
  })
}
