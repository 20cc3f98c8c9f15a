import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { httpHolderId } from '../../presence/membership.ts'
import { takePoint } from '../../limits/rate-limits.ts'
import { type Rooms, createRoom } from '../../rooms/rooms.ts'
import { registerCall } from '../http-call.ts'

/** Rooms: the list, one, a new one, joining and leaving (7.1, 7.3). */
export function registerRoomRoutes(server: FastifyInstance, rooms: Rooms): void {
  const { membership, views, limiters } = rooms

  registerCall(server, httpApi.listRooms, async ({ session }) => ({
    rooms: await views.list(session?.user.id ?? null),
  }))

  registerCall(server, httpApi.createRoom, async ({ body, session }) => {
    await takePoint(limiters.join, session.user.id)
    return { id: await createRoom(rooms, body, session.user.id) }
  })

  registerCall(server, httpApi.getRoom, async ({ params, session }) => ({
    room: await views.find(params.roomId, session?.user.id ?? null),
  }))

  registerCall(server, httpApi.joinRoom, async ({ params, body, session }) => {
    const { user } = session
    await takePoint(limiters.join, user.id)
    const room = await membership.admit(params.roomId, user.id, body.password ?? null)
    await membership.enter(room, user, httpHolderId)
    return { room: await views.find(params.roomId, user.id) }
  })

  registerCall(server, httpApi.leaveRoom, async ({ params, session }) => {
    await membership.leaveEverywhere(params.roomId, session.user.id)
    return {}
  })
}
