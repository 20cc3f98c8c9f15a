import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { takePoint } from '../../limits/rate-limits.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { registerCall } from '../http-call.ts'

/** The chat of a room, for its members (7.6). */
export function registerMessageRoutes(server: FastifyInstance, rooms: Rooms): void {
  const { membership, chat, limiters } = rooms

  registerCall(server, httpApi.listMessages, async ({ params, query, session }) => {
    await membership.requireMember(params.roomId, session.user)
    return await chat.list(params.roomId, query.before ?? null)
  })

  registerCall(server, httpApi.sendMessage, async ({ params, body, session }) => {
    await membership.requireMember(params.roomId, session.user)
    await takePoint(limiters.chat, session.user.id)
    return { message: await chat.send(params.roomId, session.user.id, body.content) }
  })
}
